import { type Endpoint, type EndpointDefinition, isEndpoint } from './endpoint.ts'
import { type Contract, contract } from './index.ts'
import { shapeOf } from './shape.ts'

type Outline<Node> = Node extends EndpointDefinition
  ? Endpoint
  : { [Name in keyof Node]: Outline<Node[Name]> }

/** The contract as plain data, replies as shapes: the build writes it in, so that a client runs without zod. */
export const outline = outlineOf(contract) as Outline<Contract>

function outlineOf(node: object): object {
  if (isEndpoint(node)) return outlineEndpoint(node as EndpointDefinition)
  return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, outlineOf(inner)]))
}

function outlineEndpoint({ params: _, query: __, body: ___, ...endpoint }: EndpointDefinition): Endpoint {
  const replies = Object.entries(endpoint.replies).map(([status, reply]) => [
    status,
    typeof reply === 'object' && reply !== null ? shapeOf(reply) : reply,
  ])
  return { ...endpoint, replies: Object.fromEntries(replies) }
}
