import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody } from '../model-server/read-request'

export type Json = Record<string, unknown>

/** Answers of a provider to the requests of one run, and its rules for refusing one. */
export type StrictRounds = {
  /** Whole bodies, in order. */
  answers: readonly string[]
  contentType: string
  /** Returns the error of a request after `round` answers; null: none. */
  refusal: (body: Json, round: number) => string | null
}

/**
 * Starts a server on loopback with a provider's own rules. It answers in order; a request that breaks a rule gets 400
 * and is added to `refusals`.
 */
export async function startStrictProvider({ answers, contentType, refusal }: StrictRounds) {
  const bodies: Json[] = []
  const texts: string[] = []
  const refusals: string[] = []
  const server = createServer(async (message, response) => {
    const text = await readBody(message)
    const body: Json = JSON.parse(text)
    const why = refusal(body, bodies.length)
    const answer = answers[bodies.length]
    bodies.push(body)
    texts.push(text)
    if (why !== null) refusals.push(why)
    if (why !== null || answer === undefined) {
      const error = { type: 'invalid_request_error', message: why ?? 'No answer is left.' }
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ type: 'error', error }))
      return
    }
    response.writeHead(200, { 'content-type': contentType })
    response.end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    /** The same bodies as they came. */
    texts,
    refusals,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value : []
}
