import { type Argument, choicesOf, type Options } from '../framework/options.ts'
import type { ArgumentFacts, FlagFacts } from '../framework/program-schema.ts'

export function describeFlags(options: Options): FlagFacts[] {
  const shown = Object.values(options).filter(({ isHidden }) => !isHidden)
  return shown.map((flag) => {
    const { kind, long, short, summary, remark, placeholder } = flag
    const choices = choicesOf(flag)
    const usual = flag.default ?? flag.usual
    return {
      long,
      ...(short && { short }),
      summary,
      ...(remark && { remark }),
      ...(placeholder && { value: { name: placeholder, optional: kind === 'optional value' } }),
      ...(choices && { choices }),
      required: flag.required ?? false,
      many: flag.many ?? false,
      ...(usual !== undefined && { default: usual }),
    }
  })
}

export function describeArgument({ name, summary, choices, isRequired, isRest }: Argument): ArgumentFacts {
  return { name, summary, ...(choices && { choices }), required: isRequired, many: isRest }
}
