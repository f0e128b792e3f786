# Refuses includes against the arrows of the house:
#   services -> engine, vision, calibration, proto;  vision -> calibration;
#   engine -> nothing;  and nothing but tests includes tests.
# Usage: cmake -DROOT=<source tree> -P layering.cmake
cmake_minimum_required(VERSION 3.23)

set(cv "opencv2/")
set(rpc "(grpc|grpcpp|google/protobuf|tilewarden/v1)/")
set(io "(spdlog|sqlite3|CLI|boost|pqxx)[/.]")

set(forbidden_engine "(vision|calibration|services|tests)/|${cv}|${rpc}|${io}")
set(forbidden_calibration "(engine|vision|services|tests)/|${rpc}|${io}")
set(forbidden_vision "(engine|services|tests)/|${rpc}|${io}")
set(forbidden_services "tests/")

set(slips 0)
set(files 0)
foreach(folder IN ITEMS engine calibration vision services)
  file(GLOB_RECURSE sources ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cc)
  foreach(source IN LISTS sources)
    if(source MATCHES "/node_modules/")
      continue()
    endif()
    math(EXPR files "${files} + 1")
    file(STRINGS ${source} includes REGEX "^[ \t]*#[ \t]*include")
    foreach(include IN LISTS includes)
      if(include MATCHES "[<\"](${forbidden_${folder}})")
        file(RELATIVE_PATH name ${ROOT} ${source})
        message(SEND_ERROR "${name}: ${folder} must not include this: ${include}")
        math(EXPR slips "${slips} + 1")
      endif()
    endforeach()
  endforeach()
endforeach()
if(files EQUAL 0)
  message(FATAL_ERROR "no sources found below ${ROOT}")
endif()
message(STATUS "${files} files looked at, ${slips} slips")
