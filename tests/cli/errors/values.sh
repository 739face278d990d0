# A wrong value is told before anything is started.
aisp bench run -t ch07:transpose --time-limit 10; echo $?
aisp bench run -t ch07:transpose --time-limit -3s; echo $?
aisp bench run -t ch07:transpose --threads none; echo $?
aisp bench run -t ch07:transpose --threads 0; echo $?
aisp bench run -t ch07:transpose --band 0; echo $?
aisp bench run -t ch07:transpose --size huge; echo $?
aisp bench run -t ch07:transpose --size large --quick; echo $?
aisp bench run -t ch07:transpose --size large --size quick; echo $?
aisp bench run -t ch07:transpose --set rows=-3; echo $?
aisp bench run -t ch07:transpose --set rows=0; echo $?
aisp bench run -t ch07:transpose --set rows=99999999999999999999; echo $?
aisp bench run -t ch07:transpose --set rows=many; echo $?
aisp bench run -t ch07:transpose --set colums=3; echo $?
aisp bench run -t ch09:gemm_int8 --set k=66312; echo $?
aisp bench run -t ch07:transpose --profile deep_dive; echo $?
aisp bench run -t; echo $?
aisp bench run --quick=yes -t ch07; echo $?
aisp bench run; echo $?
aisp bench run -t ch07 my.c; echo $?
aisp bench list-targets all; echo $?
aisp bench show; echo $?
aisp bench run -t ch07 --bench-root nowhere; echo $?
mkdir empty
aisp bench run -t ch07 --bench-root empty; echo $?
