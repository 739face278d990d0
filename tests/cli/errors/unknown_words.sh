# What is unknown is answered with the nearest name, in one line.
aisp benc; echo $?
aisp bench list-target; echo $?
aisp list-targets; echo $?
aisp frobnicate; echo $?
aisp bench run --quik; echo $?
aisp bench run --frobnicate; echo $?
aisp bench run -z; echo $?
aisp bench run -t ch07:transpse 2>&1 | sed "s| in [^ ]*targets||"
aisp bench run -t transpose 2>&1 | sed "s| in [^ ]*targets||"
aisp bench run -t ch07:transpose --variant tilde; echo $?
aisp bench show ch07; echo $?
aisp bench compare ch07:transpose/baseline ch07:reduction/baseline; echo $?
aisp bench compare ch07:transpose/baseline ch07:transpose/baseline; echo $?
aisp bench compare ch07:transpose ch07:transpose/baseline; echo $?
aisp completion fish; echo $?
aisp bench run -t ch07 --variant nowhere; echo $?
aisp bench run -t ch07:transpose --variant baseline; echo $?
