import { z } from 'zod'
import { WithReason } from '../../domains/audit/audit-reason'
import { changeKey, removeKey } from '../../domains/connections/change-keys'
import { createConnection } from '../../domains/connections/create-connection'
import { deleteConnection } from '../../domains/connections/delete-connection'
import { findConnection } from '../../domains/connections/find-connection'
import { ChangeKey } from '../../domains/connections/key-schemas'
import { listConnections } from '../../domains/connections/list-connections'
import { listKeys } from '../../domains/connections/list-keys'
import { readConnection } from '../../domains/connections/read-connection'
import { removeConnectionKey } from '../../domains/connections/remove-connection-key'
import {
  ConnectionSort,
  CreateConnection,
  UpdateConnection,
} from '../../domains/connections/schemas'
import {
  SetConnectionHeaders,
  setConnectionHeaders,
} from '../../domains/connections/set-connection-headers'
import { updateConnection } from '../../domains/connections/update-connection'
import type { Ctx } from '../../kernel/context'
import { ReplaceConnectionKey, replaceConnectionKey } from '../../probes/replace-connection-key'
import {
  AddTestedKey,
  addTestedKey,
  RenewTestedKey,
  renewTestedKey,
} from '../../probes/store-further-key'
import { testConnection } from '../../probes/test-connection'
import { AnyObject, endpoint } from './endpoint'

/** The id of the connection that an address names by id or name. */
async function connectionOf(
  ctx: Ctx,
  { connectionId = '' }: Record<string, string>,
): Promise<string> {
  return (await findConnection(ctx, connectionId)).id
}

/** A key is named by its id or its label. */
async function keyOf(ctx: Ctx, params: Record<string, string>) {
  return { connectionId: await connectionOf(ctx, params), key: params.key ?? '' }
}

const KeyAnswer = z.object({ stored: z.boolean(), test: AnyObject.nullable() })

export const connectionEndpoints = [
  endpoint(
    'GET',
    '/connections',
    {
      role: 'admin',
      scope: 'connections:read',
      query: z.object({ sort: ConnectionSort }),
      summary: 'Lists connections with their health and what to act on, never their secrets.',
      answers: { 200: z.object({ connections: z.array(AnyObject) }) },
    },
    async ({ ctx, query }) =>
      Response.json({ connections: await listConnections(ctx, query.sort) }),
  ),
  endpoint(
    'POST',
    '/connections',
    {
      role: 'admin',
      scope: 'connections:write',
      body: CreateConnection.strict(),
      summary: 'Adds a connection.',
      answers: { 201: AnyObject },
    },
    async ({ ctx, body }) => {
      const { id } = await createConnection(ctx, body)
      const headers = { location: `/api/v1/connections/${id}` }
      return Response.json(await readConnection(ctx, id), { status: 201, headers })
    },
  ),
  endpoint(
    'GET',
    '/connections/{connectionId}',
    {
      role: 'admin',
      scope: 'connections:read',
      summary: 'Returns a connection by name or id, with its models and what uses it.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, params }) =>
      Response.json(await readConnection(ctx, await connectionOf(ctx, params))),
  ),
  endpoint(
    'PATCH',
    '/connections/{connectionId}',
    {
      role: 'admin',
      scope: 'connections:write',
      body: UpdateConnection.strict(),
      summary: 'Changes a connection or switches it; fields that are left out stay.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, params, body }) => {
      const id = await connectionOf(ctx, params)
      await updateConnection(ctx, id, body)
      return Response.json(await readConnection(ctx, id))
    },
  ),
  endpoint(
    'DELETE',
    '/connections/{connectionId}',
    {
      role: 'admin',
      scope: 'connections:write',
      query: WithReason,
      summary: 'Deletes a connection that nothing uses.',
      answers: { 204: null },
    },
    async ({ ctx, params, query }) => {
      await deleteConnection(ctx, await connectionOf(ctx, params), query)
      return new Response(null, { status: 204 })
    },
  ),
  endpoint(
    'PATCH',
    '/connections/{connectionId}/headers',
    {
      role: 'admin',
      scope: 'connections:write',
      body: SetConnectionHeaders.strict(),
      summary: 'Sets or removes secret headers of a connection.',
      answers: { 200: z.object({ headerNames: z.array(z.string()) }) },
    },
    async ({ ctx, params, body }) =>
      Response.json(await setConnectionHeaders(ctx, await connectionOf(ctx, params), body)),
  ),
  /** 422 with the test's finding when the provider does not take the key: the one before stays. */
  endpoint(
    'PUT',
    '/connections/{connectionId}/key',
    {
      role: 'admin',
      scope: 'connections:write',
      body: ReplaceConnectionKey.strict(),
      summary: 'Replaces the key of a connection after a test with the provider.',
      answers: { 200: KeyAnswer, 422: KeyAnswer },
    },
    async ({ ctx, params, body }) => {
      const answer = await replaceConnectionKey(ctx, await connectionOf(ctx, params), body)
      return Response.json(answer, { status: answer.stored ? 200 : 422 })
    },
  ),
  endpoint(
    'DELETE',
    '/connections/{connectionId}/key',
    {
      role: 'admin',
      scope: 'connections:write',
      query: WithReason,
      summary: 'Removes the key of a connection.',
      answers: { 204: null },
    },
    async ({ ctx, params, query }) => {
      await removeConnectionKey(ctx, await connectionOf(ctx, params), query)
      return new Response(null, { status: 204 })
    },
  ),
  endpoint(
    'GET',
    '/connections/{connectionId}/keys',
    {
      role: 'admin',
      scope: 'connections:read',
      summary: 'Lists the keys of a connection with their limits and health.',
      answers: { 200: z.object({ keys: z.array(AnyObject) }) },
    },
    async ({ ctx, params }) =>
      Response.json({ keys: await listKeys(ctx, await connectionOf(ctx, params)) }),
  ),
  /** 422 with the test's finding when the provider does not take the key: nothing is stored. */
  endpoint(
    'POST',
    '/connections/{connectionId}/keys',
    {
      role: 'admin',
      scope: 'connections:write',
      body: AddTestedKey.strict(),
      summary: 'Adds a further key after a test with the provider.',
      answers: { 201: KeyAnswer, 422: KeyAnswer },
    },
    async ({ ctx, params, body }) => {
      const answer = await addTestedKey(ctx, await connectionOf(ctx, params), body)
      return Response.json(answer, { status: answer.stored ? 201 : 422 })
    },
  ),
  endpoint(
    'POST',
    '/connections/{connectionId}/test',
    {
      role: 'admin',
      scope: 'connections:write',
      summary: 'Tests a connection with its provider.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, params }) =>
      Response.json(await testConnection(ctx, await connectionOf(ctx, params))),
  ),
  endpoint(
    'PATCH',
    '/connections/{connectionId}/keys/{key}',
    {
      role: 'admin',
      scope: 'connections:write',
      body: ChangeKey.strict(),
      summary: 'Changes the label, weight, limits or switch of a key.',
      answers: { 200: z.object({ changed: z.boolean() }) },
    },
    async ({ ctx, params, body }) =>
      Response.json({ changed: await changeKey(ctx, await keyOf(ctx, params), body) }),
  ),
  endpoint(
    'PUT',
    '/connections/{connectionId}/keys/{key}',
    {
      role: 'admin',
      scope: 'connections:write',
      body: RenewTestedKey.strict(),
      summary: 'Replaces a further key after a test with the provider.',
      answers: { 200: KeyAnswer, 422: KeyAnswer },
    },
    async ({ ctx, params, body }) => {
      const answer = await renewTestedKey(ctx, await keyOf(ctx, params), body)
      return Response.json(answer, { status: answer.stored ? 200 : 422 })
    },
  ),
  endpoint(
    'DELETE',
    '/connections/{connectionId}/keys/{key}',
    {
      role: 'admin',
      scope: 'connections:write',
      query: WithReason,
      summary: 'Deletes a further key.',
      answers: { 204: null },
    },
    async ({ ctx, params, query }) => {
      await removeKey(ctx, await keyOf(ctx, params), query)
      return new Response(null, { status: 204 })
    },
  ),
]
