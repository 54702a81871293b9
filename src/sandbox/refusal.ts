/** One item of a 422 body (spec 7). */
export interface Problem {
  loc: (string | number)[]
  msg: string
  type: string
}

/** A 4xx response that any code of the sandbox can throw. */
export class Refusal extends Error {
  readonly status: number
  readonly detail: string | Problem[]

  constructor(status: number, detail: string | Problem[]) {
    super(typeof detail === 'string' ? detail : 'invalid body')
    this.name = 'Refusal'
    this.status = status
    this.detail = detail
  }
}

export function problem(loc: (string | number)[], msg: string, type = 'value_error'): Problem {
  return { loc, msg, type }
}
