# Refuses what editors and merges leave behind.
# Usage: cmake -DROOT=<source tree> -P leftovers.cmake
cmake_minimum_required(VERSION 3.23)
set(found)
foreach(top IN ITEMS calibration engine proto scripts services tests vision)
  file(GLOB_RECURSE left RELATIVE ${ROOT} ${ROOT}/${top}/*.orig ${ROOT}/${top}/*.rej ${ROOT}/${top}/*~)
  list(APPEND found ${left})
endforeach()
list(FILTER found EXCLUDE REGEX "/node_modules/")
if(found)
  message(FATAL_ERROR "left behind by an editor or a merge, delete them: ${found}")
endif()
