import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createMachine, type Machine } from './facescan.ts'
import { type Service, startService } from './service.ts'

export interface Production {
  readonly service: Service
  /** A new machine for each test, with the production profile ACME. */
  readonly machine: Machine
  createUser(): Promise<{ external: string; userId: string }>
}

/** Starts one service for all tests in a test file. Each machine has a production profile ACME for this service. */
export function useProduction(): Production {
  let service: Service
  let machine: Machine
  let serial = 0
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    machine = createMachine()
    await machine.facescan(`profiles add ACME --key-stdin --store file --base-url ${service.url}`, {
      stdin: service.keys.production.key,
    })
  })
  return {
    get service() {
      return service
    },
    get machine() {
      return machine
    },
    async createUser() {
      serial += 1
      const external = `user-${serial}`
      const created = await machine.facescan(`users create ${external} -p ACME --confirm=ACME --json=user_id`)
      return { external, userId: JSON.parse(created.stdout).user_id }
    },
  }
}
