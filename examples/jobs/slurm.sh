#!/usr/bin/env bash
# Imports one file with a Slurm job array, one shard a task. Edit the three settings, then: sbatch slurm.sh
#SBATCH --job-name=facescan-import
#SBATCH --array=0-15
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=facescan-import-%a.log

INPUT=${INPUT:-answers.csv}
# As many shards as the array has tasks.
SHARDS=${SHARDS:-16}
# On storage that every node sees, so that a task goes on where it was, whichever node it is run on again.
RESULTS=${RESULTS:-results}
export FACESCAN_STATE_DIR=${FACESCAN_STATE_DIR:-$PWD/facescan-state}

# The key comes from the profile, or from the file that FACESCAN_API_KEY_FILE names. A production profile needs
# --confirm=<profile> besides.
mkdir -p "$RESULTS"
facescan answers import "$INPUT" --shard auto --shard-count "$SHARDS" --results "$RESULTS" --skip-invalid "$@"
code=$?

case $code in
  # Done. Rows that were not accepted are in the results folder: facescan imports merge "$RESULTS"
  0 | 10) exit 0 ;;
  # The key is not accepted: no other task will do better.
  3 | 5) scancel "$SLURM_ARRAY_JOB_ID" ;;
  # Overloaded, unreachable or stopped: the same task goes on later.
  7 | 8 | 9 | 11) scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" ;;
esac
exit $code
