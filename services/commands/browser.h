// The page in the browser of whoever sits here.
#pragma once

#include <filesystem>
#include <string>

namespace tilewarden::services {

// Opens it in a window of the desktop; does not wait. Without a desktop nothing happens.
void OpenInBrowser(const std::string& url);

// While one of these lives, the folder tells where its page is.
class KeptPage {
 public:
  KeptPage(const std::filesystem::path& data, const std::string& url);
  ~KeptPage();
  KeptPage(const KeptPage&) = delete;
  KeptPage& operator=(const KeptPage&) = delete;
  // Empty: nothing runs on this folder, or it was killed.
  static std::string Of(const std::filesystem::path& data);

 private:
  const std::filesystem::path file_;
};

}  // namespace tilewarden::services
