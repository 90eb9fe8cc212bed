#!/bin/sh
# Waits for a Job, says what its pods left as their last words, and ends as it did: 0, 1 where
# it failed, 3 where it did not end in time. (kubectl wait sees one condition alone, and a
# Job that failed never completes.)
#
#   wait.sh JOB [SECONDS]
set -eu
job=${1:?which job? wait.sh JOB [SECONDS]}
end=$(($(date +%s) + ${2:-1500}))
while :; do
  conditions=$(kubectl get job "$job" -o 'jsonpath={range .status.conditions[?(@.status=="True")]}{.type} {end}') ||
    conditions= # the next try may get an answer
  case " $conditions" in
    *" Complete "*) code=0; break ;;
    *" Failed "*) code=1; break ;;
  esac
  if [ "$(date +%s)" -ge "$end" ]; then
    echo "$job has not ended: $(kubectl get pods -l "job-name=$job" -o 'jsonpath={.items[*].status.phase}')" >&2
    exit 3
  fi
  sleep 2
done
kubectl get pods -l "job-name=$job" -o 'jsonpath={range .items[*]}{.status.containerStatuses[0].state.terminated.message}{"\n"}{end}' ||
  echo "the pods of $job could not be asked for their last words" >&2
exit $code
