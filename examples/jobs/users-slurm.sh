#!/usr/bin/env bash
# Runs a command for a list of users with a Slurm job array, one shard per task. Edit the settings, then run: sbatch users-slurm.sh
#SBATCH --job-name=facescan-users
#SBATCH --array=0-3
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=facescan-users-%a.log

USERS=${USERS:-staff.csv}
# The number of tasks in the array.
SHARDS=${SHARDS:-4}
# The results and the state must be on shared storage, so that a task resumes on any node.
RESULTS=${RESULTS:-results}
export FACESCAN_STATE_DIR=${FACESCAN_STATE_DIR:-$PWD/facescan-state}

# The key comes from the profile or from the file named by FACESCAN_API_KEY_FILE. Arguments are passed to the command.
mkdir -p "$RESULTS"
facescan metrics --users "$USERS" --shard auto --shard-count "$SHARDS" \
  --out "$RESULTS/metrics-$SLURM_ARRAY_TASK_ID.csv" "$@"
code=$?

case $code in
  # Finished. The results folder contains the users that failed, with the reasons.
  0 | 10) exit 0 ;;
  # The key is invalid or lacks a permission, so every other task would fail too.
  3 | 5) scancel "$SLURM_ARRAY_JOB_ID" ;;
  # Rate-limited, unreachable, or stopped: run the task again later. It resumes.
  7 | 8 | 9 | 11) scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" ;;
esac
exit $code
