import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import pg from 'pg'
import { vi } from 'vitest'

type Statement = { text: string; values: unknown[] }

const working = new AsyncLocalStorage<true>()

// A statement that waits for a connection is sent by the work that releases one. It must count for the work it is from.
const connect: (...given: unknown[]) => unknown = pg.Pool.prototype.connect
Object.assign(pg.Pool.prototype, {
  connect(this: pg.Pool, ...given: unknown[]): unknown {
    const [callback] = given
    const bound = typeof callback === 'function' ? [AsyncResource.bind(callback as () => void)] : []
    return Reflect.apply(connect, this, bound)
  },
})

/** Returns the statements that `work` sends to PostgreSQL, without those that others in this process send meanwhile. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = []
  const query = pg.Client.prototype.query
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [request, values] = given
    const { text = request, values: own = values } = Object(request)
    if (typeof text === 'string' && working.getStore())
      seen.push({ text, values: Array.isArray(own) ? own : [] })
    return Reflect.apply(query, this, given)
  })
  await working.run(true, work).finally(() => spy.mockRestore())
  return seen
}
