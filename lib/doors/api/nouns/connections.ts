import { z } from 'zod'
import { KeyListing } from '@/lib/domains/connections/key-schemas'
import { changeKey, removeConnectionKey, removeKey } from '@/lib/domains/connections/key-verbs'
import { listKeys } from '@/lib/domains/connections/list-keys'
import { findConnection, listConnections, readConnection } from '@/lib/domains/connections/reads'
import {
  ConnectionDetails,
  ConnectionListing,
  ConnectionTest,
  UpdateConnection,
} from '@/lib/domains/connections/schemas'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import {
  createConnection,
  deleteConnection,
  setConnectionHeaders,
} from '@/lib/domains/connections/verbs'
import { created, endpoint, factsOf, serve } from '@/lib/doors/api/endpoint'
import {
  addTestedKey,
  type FurtherKey,
  KeyAnswer,
  renewTestedKey,
  replaceConnectionKey,
} from '@/lib/probes/store-further-key'
import { testConnection } from '@/lib/probes/test-connection'

const noContent = () => new Response(null, { status: 204 })

/** Returns the answer. It is 422 with the test's result when the provider refuses the key; then nothing is stored. */
function keyAnswer(status: 200 | 201) {
  return {
    answers: { [status]: KeyAnswer, 422: KeyAnswer },
    answer: ({ output }: { output: FurtherKey }) =>
      Response.json(output, { status: output.stored ? status : 422 }),
  }
}

/** A connection is named by its id or name, a key by its id or label. */
export const connectionEndpoints = [
  serve('GET', '/connections', listConnections, {
    answers: { 200: z.object({ connections: z.array(ConnectionListing) }) },
    answer: ({ output }) => Response.json({ connections: output }),
  }),
  serve('POST', '/connections', createConnection, {
    answers: { 201: ConnectionDetails },
    answer: async ({ ctx, output: { id } }) =>
      created(`/connections/${id}`, await readConnection(ctx, { id })),
  }),
  serve('GET', '/connections/{id}', readConnection),
  // Served by hand, because the change may rename it.
  endpoint(
    'PATCH',
    '/connections/{id}',
    {
      ...factsOf(updateConnection),
      body: UpdateConnection.strict(),
      answers: { 200: ConnectionDetails },
    },
    async ({ ctx, params, body }) => {
      const { id } = await findConnection(ctx, params.id ?? '')
      await updateConnection(ctx, { id, ...body })
      return Response.json(await readConnection(ctx, { id }))
    },
  ),
  serve('DELETE', '/connections/{id}', deleteConnection),
  serve('PATCH', '/connections/{id}/headers', setConnectionHeaders),
  serve('PUT', '/connections/{id}/key', replaceConnectionKey, keyAnswer(200)),
  serve('DELETE', '/connections/{id}/key', removeConnectionKey, {
    answers: { 204: null },
    answer: noContent,
  }),
  serve('GET', '/connections/{id}/keys', listKeys, {
    answers: { 200: z.object({ keys: z.array(KeyListing) }) },
    answer: ({ output }) => Response.json({ keys: output }),
  }),
  serve('POST', '/connections/{id}/keys', addTestedKey, keyAnswer(201)),
  // Served by hand, because it takes no body.
  endpoint(
    'POST',
    '/connections/{id}/test',
    { ...factsOf(testConnection), answers: { 200: ConnectionTest } },
    async ({ ctx, params: { id = '' } }) => Response.json(await testConnection(ctx, { id })),
  ),
  serve('PATCH', '/connections/{id}/keys/{key}', changeKey, {
    answers: { 200: z.object({ changed: z.boolean() }) },
    answer: ({ output }) => Response.json({ changed: output }),
  }),
  serve('PUT', '/connections/{id}/keys/{key}', renewTestedKey, keyAnswer(200)),
  serve('DELETE', '/connections/{id}/keys/{key}', removeKey),
]
