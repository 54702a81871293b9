import { lookupKeys } from '../../contract/values.ts'
import type { Handlers } from '../handler.ts'
import { type Problem, problem, Refusal } from '../message.ts'
import { type AnswerFields, type AnswerRecord, insertAnswers, listAnswers } from '../records.ts'
import { localTimestamp } from '../time.ts'

/** Number of answers per page. The specification defines neither this number nor the parameter `page`. */
const pageSize = 50

export const questions: Handlers['questions'] = {
  all: () => ({ status: 200, body: [...lookupKeys] }),

  answered({ service, user, query }) {
    const page = query.page ?? 1
    const { items, total } = listAnswers(service.store, user.user_id, page, pageSize)
    const totalPages = Math.ceil(total / pageSize)
    const pagination = {
      page,
      page_size: pageSize,
      total_pages: totalPages,
      total_items: total,
      next_page: page < totalPages ? page + 1 : null,
    }
    return { status: 200, body: { items: items.map(toItem), pagination } }
  },

  answer({ service, user, body }) {
    refuseProblems(unknownKey(body, ['body']))
    insertAnswers(service.store, user.user_id, [body], service.now())
    return { status: 201, body: toSaved(body, user.user_id) }
  },

  /** Stores all answers. Stores nothing if a lookup key is unknown. */
  answerMany({ service, user, body }) {
    refuseProblems(body.flatMap((answer, index) => unknownKey(answer, ['body', index])))
    insertAnswers(service.store, user.user_id, body, service.now())
    return { status: 201, body: body.map((answer) => toSaved(answer, user.user_id)) }
  },
}

function unknownKey({ lookup_key }: AnswerFields, loc: (string | number)[]): Problem[] {
  if (lookupKeys.some((known) => known === lookup_key)) return []
  return [problem([...loc, 'lookup_key'], 'unknown lookup key', 'value_error.unknown')]
}

function refuseProblems(problems: Problem[]): void {
  if (problems.length > 0) throw new Refusal(422, problems)
}

function toSaved({ lookup_key, value }: AnswerFields, user_id: string) {
  return { lookup_key, value, user_id }
}

function toItem(answer: AnswerRecord) {
  return {
    question_lookup_key: answer.lookup_key,
    answer: answer.value,
    score: answer.value >= 1 && answer.value <= 5 ? answer.value * 20 : null,
    health_scan_id: answer.health_scan_id,
    local_timestamp: localTimestamp(answer.answered_at_ms, answer.timezone),
  }
}
