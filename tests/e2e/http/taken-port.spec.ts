import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'playwright/test'
import { startStandaloneServer } from '@/tests/support/standalone-server'
import { readSite } from '../support/site'

test('a server is not taken for ready because another one answers on its port', async () => {
  const { env, port } = readSite()
  const another = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"status":"ready","server":"another"}')
  })
  await once(another.listen(port + 4, '127.0.0.1'), 'listening')
  await expect(startStandaloneServer(port + 4, env)).rejects.toThrow('it ended with code 1')
  another.close()
})
