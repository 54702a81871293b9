#!/usr/bin/env bash
# Imports one file with a Slurm job array, one shard per task. Edit the settings, then run: sbatch slurm.sh
#SBATCH --job-name=facescan-import
#SBATCH --array=0-15
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=facescan-import-%a.log

INPUT=${INPUT:-answers.csv}
# The number of tasks in the array.
SHARDS=${SHARDS:-16}
# The results and the state must be on shared storage, so that a task resumes on any node.
RESULTS=${RESULTS:-results}
export FACESCAN_STATE_DIR=${FACESCAN_STATE_DIR:-$PWD/facescan-state}

# The key comes from the profile or from the file named by FACESCAN_API_KEY_FILE. Arguments are passed to the import. A production
# profile needs --confirm=<profile>.
mkdir -p "$RESULTS"
facescan answers import "$INPUT" --shard auto --shard-count "$SHARDS" --results "$RESULTS" --skip-invalid "$@"
code=$?

case $code in
  # Finished. The results folder contains the rejected rows. Add up the reports: facescan imports merge "$RESULTS"
  0 | 10) exit 0 ;;
  # The key is invalid or lacks a permission, so every other task would fail too.
  3 | 5) scancel "$SLURM_ARRAY_JOB_ID" ;;
  # Rate-limited, unreachable, or stopped: run the task again later. It resumes.
  7 | 8 | 9 | 11) scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" ;;
esac
exit $code
