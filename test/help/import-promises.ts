import type { Promises } from './promises.ts'

/** Promises in src/bulk/README.md, and the titles of the tests that prove them. */
export const importPromises: Promises = {
  'At the end, each row has one state:': [
    'for any list of answers, the check of a lost request assigns exactly one state to each row',
    'if imports are killed %s times at random moments, no row is lost, saved twice, or out of order',
  ],
  'A **list** runs a command for each user in a file and writes the results in the order of the file.': [
    'results are written in the order of the list (slow writes: %s)',
    '"%s" prints one header and one row for each user, in the order of the list',
  ],
  'confirmation, Ctrl-C, progress line, and the audit entry for the end (the built-in sandbox has no audit log).':
    [
      '"history list" prints the start and the end of an import as two entries',
      '"users delete" with a list writes to the audit log when it starts, which users it deletes, and when it ends',
      '"history list" shows changes to another service, but not changes to the sandbox',
    ],
  'Each kind opens its own state and saves its own results.': [
    'imports share a directory if, and only if, they have the same file and profile',
  ],
  'A list that only reads and has no `--out` prints its results.': [
    '"%s" prints one header and one row for each user, in the order of the list',
  ],
  'It has no lock and no journal, and cannot be resumed.': [
    'a list command that only reads and has no --out leaves no lock, no journal, and no output in the state directory',
    'after exit code 11, the same list %s',
  ],
  'The rules about locks, journals, and resuming apply to all other runs.': [
    'after exit code 11, the same list %s',
    'an import refuses to start while another run of the same import is active',
  ],
  'The batches depend only on the file and the settings, so a resumed run can rebuild each batch from its number.':
    [
      'a resumed import reads these batches from the input again: %s',
      '"imports resume" is refused if the content of the file or the base URL of the service has changed',
    ],
  'In an import, each user has a queue with at most one active request.': [
    'two queues run at the same time, and the items of each queue run one after the other',
  ],
  'yes, no, or maybe.': ['for a response with status %i, the next action of an import is "%s"'],
  'A 2xx accepts its rows only if the response contains their answers.': [
    'a response is accepted if it contains the sent answers %s',
    'if neither a 2xx response nor the list of saved answers confirms the answers, rows become unknown',
  ],
  'If a request may have been applied, the queue waits until it can no longer be applied (the settle time).':
    [
      'an import waits at least twice the latency of a slow service before it checks a lost request',
      'if requests are saved 30 s late, an import that waits for only 5 s saves rows twice',
    ],
  'A listed answer accepts its row only if nothing else can have written the answer:': [
    'a lost request is sent again if all identical answers in the list were saved by the previous request',
    'the outcome of a row is unknown if its answer is in the list, but another command was saving answers for the user',
  ],
  'no earlier row of this import, and no other command.': [
    'a lost request is sent again if all identical answers in the list were saved by the previous request',
    'the outcome of a row is unknown if its answer is in the list, but another command was saving answers for the user',
  ],
  'Times of answers are proof only after the clock of the service was measured.': [
    'if the clock of the service is not measured, the times in a list can be wrong by up to one day',
    'rows become unknown if the times in the list of answers are in another time zone',
  ],
  'If many responses are 429, all requests slow down.': [
    'if 16 of 160 responses in %i ms have status 429, the rate is reduced: %s',
    'a single 429 response does not delay other requests',
  ],
  'If no request succeeds, test requests (GET) show whether the service responds.': [
    'requests pause after 20 failures in a row, and continue after a successful test request',
  ],
  'A result file appears only when it is complete.': [
    'saving a result file replaces the partial file of a killed run',
    'if an import is killed while it writes a result file, the resumed import leaves one complete set of files',
  ],
  'The complete file replaces only an unchanged output of the same command.': [
    '"users get" refuses to repeat a finished list if its output file was changed',
    'if an output file was changed before the last run was killed, the next run keeps the changed file',
  ],
  'Each user of a list has a record with the length of the result, or with the failure.': [
    'a repeated "users get" with %s output requests only failed users, and keeps the other rows',
    '"scan-url" renews only expired links when it is repeated for a list that is already complete',
  ],
  'The same command can therefore keep good results and process only failed users and expired links.': [
    'a repeated "users get" with %s output requests only failed users, and keeps the other rows',
    '"scan-url" renews only expired links when it is repeated for a list that is already complete',
  ],
  '`Run` reads the batches and gives them to the engine (`engine/`), with a queue for each user.': [
    'two queues run at the same time, and the items of each queue run one after the other',
  ],
  'For each concurrent request, eight users are read ahead, so that their intents share one sync of the journal.':
    [
      'if two concurrent requests and two queues per request are allowed, four queues run at the same time',
      '32 journal records that are added at the same time cause one write and one fsync',
    ],
  'A 2xx counts only if it confirms the answers (`send/response-check.ts`):': [
    'a response %s does not confirm an answer',
    'rows become unknown if the response contains the ID of another user',
  ],
  'a list with one object per answer (spec 4.5), in any order, with the keys and values that were sent and one user ID.':
    [
      'a response %s does not confirm an answer',
      'rows become unknown if the response contains the ID of another user',
    ],
  'A 202, an incomplete or other body, and the ID of another user confirm nothing.': [
    'a response %s does not confirm an answer',
    'rows become unknown if the response contains the ID of another user',
  ],
  'They are never sent again, because a queue may still save them.': [
    'a resumed import does not resend rows if the response did not contain the sent answers',
    'a resumed import does not resend a row after status 202',
  ],
  'If the answers of the user cannot be listed, the halves are sent without a list.': [
    'if status 422 rejects one row, the other rows are sent again, even if reads of answers return status %i',
  ],
  'A 5xx counts as one failure, and every other outcome with a settle time as a quarter, because a row rarely causes a lost connection.':
    [
      'status 500 counts as a failure of the service, but status 408 and a lost response do not',
      'a row that always causes status 500 becomes unknown, and the other rows of its batch are accepted',
    ],
  'Failures count only while at most two batches, this one included, have failed since the last response without a failure.':
    ['no row becomes unknown while the service fails for all users'],
  'the HTTP status or the problem of each request and of each page of each list (the first 20), and the times.':
    [
      'the reason for an unknown row lists the time and result of each attempt, and of each request for the user’s answers',
    ],
  'It contains no IDs and no answers.': [
    'the saved reason for a rejected row masks the user ID and the answers',
    'the result file and the journal contain no ID or value from an error message',
  ],
  "It contains the service's time, the number of recent batches of the same user that cannot be distinguished from this one by their times (`chain`), and the time of the first of them (`since`).":
    ['every kind of journal record is read back with all the fields that were written'],
  'If the answers of the user cannot be listed, it waits before step 3, so that the time between the intent and the request is short.':
    [
      'if an import is killed while a request waits for --rate, the request counts as unsent, and a resumed import sends it',
    ],
  'After that time, a request in flight can no longer be applied.': [
    'if the service saves requests within --timeout, a killed import loses no row and saves no row twice (seed %i)',
    'if requests are saved 30 s late, an import that waits for only 5 s saves rows twice',
  ],
  "It contains one bit per user's hash, no IDs, and no answers.": [
    'the written files contain no credential and no personal data, except user IDs in the audit log',
    'a set of users that is written and read again contains every added user, and none of the other users in the test',
  ],
  'A listed answer proves that a row was saved only if nothing else can have written the answer.': [
    'a lost request is sent again if all identical answers in the list were saved by the previous request',
    'the outcome of a row is unknown if its answer is in the list, but another command was saving answers for the user',
  ],
  'Every writer leaves a mark.': [
    'if requests are lost, an import saves each answer, even if "answers save" saved an identical answer',
    'if requests are lost, an import saves each answer, even if a previous import saved identical answers',
  ],
  'Before its first request that saves answers, an import waits until requests of ended writers with the same users can no longer be applied, and for 6 s more, because the clocks may differ.':
    [
      'an import waits for late requests of an ended command, but not for an active command',
      'if requests are lost, an import does not wait for an earlier import that contains only other users',
    ],
  'If there is a concurrent writer, a listed answer proves nothing, and its row is unproven.': [
    'the outcome of a row is unknown if its answer is in the list, but another command was saving answers for the user',
    'if a request is lost and another running import may have saved the same answer, the outcome of the row is unknown',
  ],
  'the list may contain only the latest answer, and a later answer must stay.': [
    'an answer counts as replaced if the list contains a later answer to the same question',
  ],
  'Any other absent answer is missing.': [
    'a lost request counts as saved if its answers are in the list, and as missing if the list has only earlier answers',
  ],
  'If another external user ID in the file belongs to the same user, a listed answer proves nothing.': [
    'if a killed run saved the same answer under another ID, a row whose request was lost in %s is not accepted',
  ],
  "If the list cannot be read, or if the list or the service's clock contradicts itself, nothing is proven.":
    [
      'the outcome of a row is unknown if the list of answers cannot be used or contains a time in the future',
    ],
  'Before each later missing answer, the latest accepted answers are listed.': [
    'no row is saved twice if the service starts to list answers late after a third of an import (seed %i)',
    'no row is saved twice if the times of answers are 20 s behind after a third of an import (seed %i)',
  ],
  'If one of them is not listed after the settle time, or not with a time within the measured limits, every later missing answer of the import is unproven.':
    [
      'no row is saved twice if the service starts to list answers late after a third of an import (seed %i)',
      'no row is saved twice if the times of answers are 20 s behind after a third of an import (seed %i)',
    ],
  'The limits are kept for each time zone, the widest sample counts, and a margin is added (2 s and half of the difference).':
    [
      'after five clock measurements, the uncertainty from an earlier run is used only if it is larger than the new uncertainty',
      'the uncertainty of the measured clock increases with the largest measured time difference',
      'if only times in Asia/Tokyo are 5 s behind, a row in the time zone %s whose answer is 5 s too old counts as %s',
    ],
  'The first five requests of each time zone are samples, and later one request every five minutes.': [
    'the clock is measured five times, and again five minutes after the last measurement',
    'an import reads answers before and after each of its first five requests, but not for later requests',
  ],
  'With fewer samples, or with times more than five minutes from `Date`, the clock is not measured, and an equal answer in the list proves nothing:':
    [
      'the measured clock is not used if it differs from the Date header by more than five minutes',
      'the clock of the service is used after five measurements, but not after four',
      'if the clock of the service is not measured, the times in a list can be wrong by up to one day',
    ],
  'The lock of an import or a list contains the host, process, boot ID, and PID namespace of its holder, and a counter that the holder increases every 5 s.':
    ['if a process %s does not renew its lock, the lock is taken over after 90 s and another 30 s'],
  'Before every intent, the holder checks that its last renewal is less than 20 s old; otherwise it renews the lock and reads it again, and the run stops if the lock belongs to another process.':
    [
      'an import stops if another process has taken over its lock',
      'if an import renews its lock too late, it keeps the lock unless another process has taken it over',
    ],
  'A holder in the same boot and PID namespace has ended if no process has its process ID and start time.': [
    'an import takes over the lock of a killed process immediately',
    'an import immediately takes over the lock of an ended process, even if the import has the same process ID',
  ],
  'Any other holder is watched for 90 s; if the counter does not change, the lock is taken over, and nothing is sent until the settle time has passed.':
    [
      'if a process %s does not renew its lock, the lock is taken over after 90 s and another 30 s',
      'an import does not take over a renewed lock of a process on another machine',
    ],
  'All requests slow down only if more than 5 percent of the responses in a window are 429 (20 percent in the first two seconds after a slowdown).':
    [
      'if 16 of 160 responses in %i ms have status 429, the rate is reduced: %s',
      'a few 429 responses after the process was suspended do not reduce the rate',
    ],
  'After ten responses of 429 in a row, all requests wait, and then start at a quarter of the rate, at most 250 per second.':
    ['if %s, ten 429 responses in a row delay all requests, and the rate then starts low'],
  'After 20 failures in a row, only test requests (GET) are sent until the service responds (`pace/breaker.ts`).':
    [
      'requests pause after 20 failures in a row, and continue after a successful test request',
      'after a pause, only one request is sent until a request succeeds',
    ],
  'At every checkpoint the journal is synced, and its length is recorded in a file beside the directory of the import.':
    [
      'the length of a journal is recorded in a file beside its directory',
      'a journal that is shorter than its recorded length is refused, and a hint shows how to remove the import',
    ],
  'The names of all files of a run contain the same number, such as `answers.rejects-2.csv`.': [
    'all result files of an import have the same number in their names',
  ],
  'A file in the state directory lists each result file before it is created.': [
    'after a resumed import, the directory contains only result files of this run if the previous run was killed %s',
  ],
  'The files of a finished import are never replaced, except the summary by an import of the same input with the same settings.':
    ['an import keeps the result files of a finished run and of another import'],
  'The files of a stopped run contain all rejected and unknown rows in the journal, also rows that only earlier runs reported, because they replace the files of these runs.':
    [
      'an import that is stopped twice keeps the rows of the first run in its result files',
      'an import that is stopped twice keeps the unknown rows of the first run in answers.unknown.csv',
    ],
  'Each list has its own connection, because a broken proxy can send an earlier response again on a shared connection.':
    [
      'each list that is used as proof of a saved answer has its own connection, so that a late duplicate of an earlier response cannot replace it',
    ],
}
