import { ceLabel, dashboardUrl, recommendations } from './content.ts'
import { type EndpointDefinition, isEndpoint } from './endpoint.ts'
import { questions } from './questions.ts'
import { biomarkers, scanUrl } from './scans.ts'
import { metrics, summary, wellbeing } from './scores.ts'
import { users } from './users.ts'
import { widgets } from './widgets.ts'

/** Every endpoint. The client, the sandbox, the OpenAPI document and the `api` command are derived from this value. */
export const contract = {
  users,
  scanUrl,
  biomarkers,
  metrics,
  wellbeing,
  summary,
  questions,
  dashboardUrl,
  recommendations,
  ceLabel,
  widgets,
}

export type Contract = typeof contract

/** Every endpoint with its dotted name, such as `users.create`. */
export function endpoints(): [name: string, endpoint: EndpointDefinition][] {
  return Object.entries(contract).flatMap(([name, node]) =>
    isEndpoint(node)
      ? [[name, node] as [string, EndpointDefinition]]
      : Object.entries(node).map(([verb, leaf]) => [`${name}.${verb}`, leaf] as [string, EndpointDefinition]),
  )
}
