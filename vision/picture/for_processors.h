// Loops that gain from what newer processors have. Vision-internal.
#pragma once

// Before a function: it is compiled twice, and the program takes the one that suits the processor
// as it starts. Functions that are called from it and not inlined are not. Sums may differ in their
// last bits. Sanitizers and Clang get along without.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TILEWARDEN_FOR_PROCESSORS __attribute__((target_clones("arch=haswell", "default")))
#else
#define TILEWARDEN_FOR_PROCESSORS
#endif
