import 'server-only'
import { z } from 'zod'
import type { StoredServer } from '@/lib/domains/servers/stored'
import { openSecret, storeSecret } from '@/lib/domains/vault/secrets'
import { isPublicHost } from '@/lib/engines/egress/classify-address'
import type { ClientIdentity, SignInSite } from '@/lib/engines/mcp/sign-in/site'
import { db, unaudited, withTransaction } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { ValidationError } from '@/lib/kernel/errors'

/** The path to which issuers send people back. */
const callbackPath = '/api/servers/callback'
/** The path of the document that says who this installation is as a client. */
const clientDocumentPath = '/api/servers/client.json'

const here = (path: string): string => new URL(path, env().TOOLGATE_URL).href

const Registered = z.object({
  clientId: z.string(),
  clientSecret: z.string().nullable(),
  way: z.literal('registered'),
  authMethod: z.string().optional(),
  expiresAt: z.coerce.date().nullable().optional(),
  redirectUri: z.string().optional(),
})

const why = 'what an issuer knows this installation as'

/** Returns all that a sign-in at a server needs, with the store of its clients. Throws ValidationError without an address. */
export async function signInSiteOf(server: StoredServer): Promise<SignInSite> {
  const { id: serverId, url, clientId, clientSecretId, privateAddressAllowed } = server
  if (url === null) throw new ValidationError({ url: 'Only a server with an address signs in.' })
  const clientSecret = clientSecretId === null ? null : await openSecret(db(), clientSecretId)
  return {
    serverUrl: url,
    redirectUri: here(callbackPath),
    clientName: 'Toolgate',
    entered: clientId === null ? null : { clientId, clientSecret },
    metadataDocumentUrl: await clientDocumentUrl(),
    privateAllowed: privateAddressAllowed,
    ...clientStore(serverId),
  }
}

function clientStore(serverId: string) {
  const keyOf = (issuer: string) => ({ serverId_issuer: { serverId, issuer } })
  const keep = (issuer: string, identity: ClientIdentity | null, documentRefused: boolean) =>
    withTransaction(async (tx) => {
      const client = unaudited(tx, why)
      const plaintext = JSON.stringify(identity)
      const purpose = 'server-client'
      const secretId =
        identity && (await storeSecret(client, { purpose, plaintext, hidden: true })).id
      const before = await client.serverClient.findUnique({ where: keyOf(issuer) })
      await client.serverClient.upsert({
        where: keyOf(issuer),
        create: { serverId, issuer, secretId, documentRefused },
        update: { secretId, documentRefused },
      })
      if (before?.secretId) await client.vaultSecret.delete({ where: { id: before.secretId } })
    })
  const find = (issuer: string) => db().serverClient.findUnique({ where: keyOf(issuer) })
  return {
    registered: async (issuer: string): Promise<ClientIdentity | null> => {
      const row = await find(issuer)
      if (!row?.secretId) return null
      return Registered.parse(JSON.parse(await openSecret(db(), row.secretId)))
    },
    keepRegistered: async (issuer: string, identity: ClientIdentity) =>
      keep(issuer, identity, (await find(issuer))?.documentRefused ?? false),
    isForEntered: async (issuer: string) => {
      const create = { serverId, issuer }
      const client = unaudited(db(), why)
      const rows = await db().serverClient.findMany({ where: { serverId } })
      if (rows.length === 0)
        await client.serverClient.upsert({ where: keyOf(issuer), create, update: {} })
      // Read again: somebody else may have begun at another issuer at the same moment.
      const now = await db().serverClient.findMany({ where: { serverId } })
      return now.every(({ issuer: known }) => known === issuer)
    },
    forgetRegistered: async (issuer: string) =>
      keep(issuer, null, (await find(issuer))?.documentRefused ?? false),
    refusedMetadataDocument: async (issuer: string) =>
      (await find(issuer))?.documentRefused ?? false,
    keepRefusedMetadataDocument: (issuer: string) => keep(issuer, null, true),
  }
}

/** Returns the address of this installation's document for issuers; null where they cannot reach it. */
async function clientDocumentUrl(): Promise<string | null> {
  const { protocol, hostname } = new URL(env().TOOLGATE_URL)
  if (protocol !== 'https:' || !(await isPublicHost(hostname).catch(() => false))) return null
  return here(clientDocumentPath)
}

/** Returns the document. Its own address is the client ID (draft-ietf-oauth-client-id-metadata-document). */
export function clientDocument() {
  return {
    client_id: here(clientDocumentPath),
    client_name: 'Toolgate',
    client_uri: here('/'),
    redirect_uris: [here(callbackPath)],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  }
}
