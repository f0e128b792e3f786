// Power cuts below SQLite: a file system of its own that knows what was brought to the disk and
// what was only written. After a cut the disk holds the former, and of the latter any part: writes
// are dropped, reordered, and torn between sectors.
//
//   PowerCuts cuts(seed);                  // SQLite's default from here on
//   ... OpenSqliteStore(file) ...
//   cuts.CutIn(n, told);                   // n operations from now; told: what is acknowledged
//   then
//   ... changes ...
//   for (auto& cut : cuts.Take()) cut.WriteTo(folder);
//
// It can also refuse an operation, as a disk does that is full or fails (FailIn).
#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tilewarden::services {

class PowerCuts {
 public:
  // The disk after a cut.
  struct Cut {
    std::map<std::string, std::string> files;  // by name
    std::uint64_t told = 0;
    void WriteTo(const std::filesystem::path& folder) const {
      std::filesystem::create_directories(folder);
      for (const auto& [name, bytes] : files) {
        std::ofstream(folder / name, std::ios::binary | std::ios::trunc) << bytes;
      }
    }
  };

  explicit PowerCuts(unsigned seed) : random_(seed) {
    self_ = this;
    real_ = sqlite3_vfs_find(nullptr);
    vfs_ = *real_;
    vfs_.zName = "power-cuts";
    vfs_.szOsFile = static_cast<int>(sizeof(File)) + real_->szOsFile;
    vfs_.xOpen = Open;
    vfs_.xDelete = Delete;
    sqlite3_vfs_register(&vfs_, 1);
  }
  ~PowerCuts() {
    sqlite3_vfs_register(real_, 1);
    sqlite3_vfs_unregister(&vfs_);
    self_ = nullptr;
  }
  PowerCuts(const PowerCuts&) = delete;
  PowerCuts& operator=(const PowerCuts&) = delete;

  // So many writes, truncations and syncs from now the power is cut; SQLite goes on as if it were
  // not. `told` is read at that moment and outlives this.
  void CutIn(int operations, const std::atomic<std::uint64_t>* told) {
    const std::lock_guard lock(mutex_);
    left_ = operations;
    told_ = told;
  }
  // The read, write, truncation or sync so many from now fails, that one alone; 0: none does.
  void FailIn(int operations) { fail_in_ = operations; }
  bool has_failed() const { return fail_in_ < 0; }
  std::vector<Cut> Take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(cuts_, {});
  }

 private:
  struct Write {
    std::size_t at = 0;
    std::string bytes;
    bool truncates = false;  // to `at`
  };
  struct Disk {
    std::string synced;
    std::vector<Write> pending;
  };
  struct File {
    sqlite3_file base;
    Disk* disk;  // null: not kept, as temporary files
    sqlite3_io_methods methods;
  };
  static constexpr std::size_t kSector = 512;

  static File* Of(sqlite3_file* file) { return reinterpret_cast<File*>(file); }
  static sqlite3_file* Real(sqlite3_file* file) {
    return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + sizeof(File));
  }

  static void Apply(const Write& write, std::string* bytes) {
    if (write.truncates) {
      bytes->resize(write.at);
      return;
    }
    if (bytes->size() < write.at + write.bytes.size()) {
      bytes->resize(write.at + write.bytes.size());
    }
    std::copy(write.bytes.begin(), write.bytes.end(),
              bytes->begin() + static_cast<std::ptrdiff_t>(write.at));
  }

  // With the lock held.
  void Step() {
    if (left_ == 0 || --left_ > 0) return;
    Cut cut;
    cut.told = told_->load();
    for (const auto& [path, disk] : disks_) {
      std::string bytes = disk.synced;
      std::vector<Write> pending = disk.pending;
      // In any order, in one case of three.
      if (random_() % 3 == 0) std::shuffle(pending.begin(), pending.end(), random_);
      const unsigned kept = random_() % 101;
      for (const Write& write : pending) {
        if (random_() % 100 >= kept) continue;
        if (write.truncates || random_() % 2 == 0) {
          Apply(write, &bytes);
          continue;
        }
        // Some of its sectors.
        for (std::size_t from = 0; from < write.bytes.size(); from += kSector) {
          if (random_() % 3 == 0) continue;
          Apply({write.at + from, write.bytes.substr(from, kSector), false}, &bytes);
        }
      }
      cut.files[std::filesystem::path(path).filename().string()] = std::move(bytes);
    }
    cuts_.push_back(std::move(cut));
  }
  static bool Fails() {
    int left = self_->fail_in_;
    while (left > 0 && !self_->fail_in_.compare_exchange_weak(left, left == 1 ? -1 : left - 1)) {
    }
    return left == 1;
  }
  static void Note(sqlite3_file* file, Write write) {
    if (Of(file)->disk == nullptr) return;
    const std::lock_guard lock(self_->mutex_);
    Of(file)->disk->pending.push_back(std::move(write));
    self_->Step();
  }

  static int Open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
    std::memset(static_cast<void*>(file), 0, sizeof(File));
    const int opened = self_->real_->xOpen(self_->real_, name, Real(file), flags, out);
    if (Real(file)->pMethods == nullptr) return opened;
    File* const own = Of(file);
    own->methods = *Real(file)->pMethods;
    own->methods.iVersion = std::min(own->methods.iVersion, 2);  // nothing is mapped
    own->methods.xClose = [](sqlite3_file* f) { return Real(f)->pMethods->xClose(Real(f)); };
    own->methods.xRead = [](sqlite3_file* f, void* to, int size, sqlite3_int64 at) {
      if (Fails()) return SQLITE_IOERR_READ;
      return Real(f)->pMethods->xRead(Real(f), to, size, at);
    };
    own->methods.xWrite = [](sqlite3_file* f, const void* from, int size, sqlite3_int64 at) {
      if (Fails()) return SQLITE_FULL;
      Note(f, {static_cast<std::size_t>(at),
               std::string(static_cast<const char*>(from), static_cast<std::size_t>(size)), false});
      return Real(f)->pMethods->xWrite(Real(f), from, size, at);
    };
    own->methods.xTruncate = [](sqlite3_file* f, sqlite3_int64 size) {
      if (Fails()) return SQLITE_IOERR_TRUNCATE;
      Note(f, {static_cast<std::size_t>(size), "", true});
      return Real(f)->pMethods->xTruncate(Real(f), size);
    };
    own->methods.xSync = [](sqlite3_file* f, int how) {
      if (Fails()) return SQLITE_IOERR_FSYNC;
      const int synced = Real(f)->pMethods->xSync(Real(f), how);
      if (Disk* disk = Of(f)->disk; disk != nullptr && synced == SQLITE_OK) {
        const std::lock_guard lock(self_->mutex_);
        self_->Step();
        for (const Write& write : disk->pending) Apply(write, &disk->synced);
        disk->pending.clear();
      }
      return synced;
    };
    own->methods.xFileSize = [](sqlite3_file* f, sqlite3_int64* size) {
      return Real(f)->pMethods->xFileSize(Real(f), size);
    };
    own->methods.xLock = [](sqlite3_file* f, int kind) {
      return Real(f)->pMethods->xLock(Real(f), kind);
    };
    own->methods.xUnlock = [](sqlite3_file* f, int kind) {
      return Real(f)->pMethods->xUnlock(Real(f), kind);
    };
    own->methods.xCheckReservedLock = [](sqlite3_file* f, int* is) {
      return Real(f)->pMethods->xCheckReservedLock(Real(f), is);
    };
    own->methods.xFileControl = [](sqlite3_file* f, int what, void* with) {
      return Real(f)->pMethods->xFileControl(Real(f), what, with);
    };
    own->methods.xSectorSize = [](sqlite3_file*) { return static_cast<int>(kSector); };
    // Nothing may be taken for granted.
    own->methods.xDeviceCharacteristics = [](sqlite3_file*) { return 0; };
    own->methods.xShmMap = [](sqlite3_file* f, int page, int size, int extend,
                              void volatile** out_map) {
      return Real(f)->pMethods->xShmMap(Real(f), page, size, extend, out_map);
    };
    own->methods.xShmLock = [](sqlite3_file* f, int offset, int n, int how) {
      return Real(f)->pMethods->xShmLock(Real(f), offset, n, how);
    };
    own->methods.xShmBarrier = [](sqlite3_file* f) { Real(f)->pMethods->xShmBarrier(Real(f)); };
    own->methods.xShmUnmap = [](sqlite3_file* f, int remove) {
      return Real(f)->pMethods->xShmUnmap(Real(f), remove);
    };
    own->base.pMethods = &own->methods;
    if (name != nullptr) {
      const std::lock_guard lock(self_->mutex_);
      own->disk = &self_->disks_[name];
    }
    return opened;
  }
  static int Delete(sqlite3_vfs*, const char* name, int sync) {
    {
      const std::lock_guard lock(self_->mutex_);
      // Files that are still open elsewhere keep their place.
      self_->disks_[name] = {};
    }
    return self_->real_->xDelete(self_->real_, name, sync);
  }

  static inline PowerCuts* self_ = nullptr;
  sqlite3_vfs* real_ = nullptr;
  sqlite3_vfs vfs_{};
  std::mutex mutex_;
  std::mt19937 random_;
  int left_ = 0;
  std::atomic<int> fail_in_ = 0;  // -1: it has
  const std::atomic<std::uint64_t>* told_ = nullptr;
  std::map<std::string, Disk> disks_;
  std::vector<Cut> cuts_;
};

// What a run of cuts showed (power_cut_run.h).
struct CutSum {
  int cuts = 0;
  std::uint64_t told = 0;  // acknowledged changes before the cuts, all together
  std::string wrong;       // the first thing that was; empty: nothing
};

}  // namespace tilewarden::services
