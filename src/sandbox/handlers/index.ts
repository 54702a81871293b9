import type { Contract } from '../../contract/index.ts'
import type { AnyHandler, Handlers } from '../handler.ts'

/** Loads the handlers of each resource. A missing handler, or a response that does not match the contract, does not compile. */
export const handlers: { [Name in keyof Contract]: () => Promise<Pick<Handlers, Name>> } = {
  users: () => import('./users.ts'),
  scanUrl: () => import('./links.ts'),
  biomarkers: () => import('./biomarkers.ts'),
  metrics: () => import('./scores.ts'),
  wellbeing: () => import('./scores.ts'),
  summary: () => import('./scores.ts'),
  questions: () => import('./questions.ts'),
  dashboardUrl: () => import('./links.ts'),
  recommendations: () => import('./scores.ts'),
  ceLabel: () => import('./ce-label.ts'),
  widgets: () => import('./widgets.ts'),
}

/** The handler of an endpoint, by the dotted name of the endpoint in the contract. */
export async function loadHandler(name: string): Promise<AnyHandler> {
  const [resource, verb] = name.split('.') as [keyof Contract, string | undefined]
  const loaded: unknown = Reflect.get(await handlers[resource](), resource)
  return (verb === undefined ? loaded : Reflect.get(loaded as object, verb)) as AnyHandler
}
