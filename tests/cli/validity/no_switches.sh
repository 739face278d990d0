# The program's defences have no switches: the constant is the weak one of core/run/policy.c (V), not that of tests/switches.c (R).
nm "$BUILD/aisp" | sed -n 's/.* \(.\) aisp_defences_have_switches$/\1/p'
