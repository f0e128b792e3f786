#include "vision/inference/convolution_kernels.h"

namespace tilewarden::vision {
namespace {

// As many sums at once as there are registers for, and enough to wait for none.
#define TILEWARDEN_KERNEL plain
#define TILEWARDEN_TARGET
#define TILEWARDEN_LANES 4
#define TILEWARDEN_PIXELS \
  { 8, 6, 4, 3 }
#include "vision/inference/convolution_kernel.inc"

#if defined(__x86_64__)
#define TILEWARDEN_KERNEL avx2
#define TILEWARDEN_TARGET __attribute__((target("avx2,fma")))
#define TILEWARDEN_LANES 8
#define TILEWARDEN_PIXELS \
  { 8, 6, 4, 3 }
#include "vision/inference/convolution_kernel.inc"

#define TILEWARDEN_KERNEL avx512
#define TILEWARDEN_TARGET __attribute__((target("avx512f,avx512vl,avx512dq,avx2,fma")))
#define TILEWARDEN_LANES 16
#define TILEWARDEN_PIXELS \
  { 8, 8, 8, 6 }
#include "vision/inference/convolution_kernel.inc"
#endif

std::vector<Kernel> Here() {
  std::vector<Kernel> kernels;
#if defined(__x86_64__)
  const bool fma = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (fma && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0) {
    kernels.push_back({"avx512", 16, 4, avx512::Run});
  }
  if (fma) kernels.push_back({"avx2", 8, 3, avx2::Run});
#endif
  kernels.push_back({"plain", 4, 3, plain::Run});
  return kernels;
}

}  // namespace

const std::vector<Kernel>& Kernels() {
  static const std::vector<Kernel> kernels = Here();
  return kernels;
}

}  // namespace tilewarden::vision
