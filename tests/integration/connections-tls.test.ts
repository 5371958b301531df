import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConnection } from '@/lib/domains/connections/reads'
import { createConnection } from '@/lib/domains/connections/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { discoverModels } from '@/lib/probes/discover-models'
import { testConnection } from '@/lib/probes/test-connection'
import { testConnectionDraft } from '@/lib/probes/test-connection-draft'
import { addPerson } from '@/tests/support/people'

let admin: Ctx
let server: Server
let requestCount = 0

beforeAll(async () => {
  admin = await addPerson('admin')
  // For localhost and 127.0.0.1, until 2126, signed by itself.
  const pem = await readFile(path.resolve('tests/support/self-signed.pem'))
  server = createServer({ key: pem, cert: pem }, (_, response) => {
    requestCount += 1
    response.end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => server.close())

test.each(['openai-compatible', 'anthropic', 'ollama'] as const)(
  'a certificate that nobody vouches for ends the handshake of %s, before anything is sent',
  async (wire) => {
    const { port } = server.address() as AddressInfo
    const facts = {
      name: `Self-signed ${wire}`,
      wire,
      baseUrl: `https://127.0.0.1:${port}`,
      trustZone: 'local',
      privateAddressAllowed: true,
      apiKey: 'sk-never-sent-0123456789',
    } as const
    const found = { outcome: 'tls', status: null, models: null }
    const typed = await testConnectionDraft(admin, facts)
    expect(typed).toMatchObject(found)
    // The connection is not stored, so no command or page can be named.
    expect(typed.message).toMatch(/certificate authority. Check the base URL.$/)
    const { id } = await createConnection(admin, facts)
    const stored = await testConnection(admin, { id })
    expect(stored).toMatchObject(found)
    expect(stored.message).toMatch(/not trusted by this server. Install its certificate authority/)
    expect((await readConnection(admin, { id })).lastTest).toEqual(stored)
    await expect(discoverModels(admin, { connectionId: id })).rejects.toThrow(/certificate/)
    expect(requestCount).toBe(0)
  },
)
