// The machine's clock as somebody set it: loaded into a process before everything else
// (LD_PRELOAD), it reads the time of day off by as many seconds as the file TILEWARDEN_CLOCK_SHIFT
// says now. Other clocks, which nobody sets, are left alone.
#include <dlfcn.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>

extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  using Function = int (*)(clockid_t, timespec*);
  static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = real(clock, time);
  if (result != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
  const char* const path = std::getenv("TILEWARDEN_CLOCK_SHIFT");
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "r");
  long seconds = 0;
  if (file != nullptr) {
    if (std::fscanf(file, "%ld", &seconds) != 1) seconds = 0;
    std::fclose(file);
  }
  time->tv_sec += seconds;
  return result;
}
