import { mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { askForHost } from '@/lib/domains/hosts/requests'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { programVerbs } from '@/lib/domains/programs/verbs'
import { searchEndpointVerbs } from '@/lib/domains/search-endpoints/verbs'
import { siteVerbs } from '@/lib/domains/sites/verbs'
import { storageVerbs } from '@/lib/domains/storages/verbs'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { closePool } from '@/lib/toolset/data-sources/connections'
import { openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { accounts } from '@/tests/e2e/support/site'
import { addAsset, pngHead } from './assets'
import { db } from './fixture-db'

/** Adds one of each resource, whose texts are this long word. Returns the addresses of their pages. */
export async function addWideResources(
  admin: Ctx,
  userId: string,
  word: string,
): Promise<string[]> {
  return [
    `/resources/workspaces/${await addWideWorkspace(admin, userId, word)}`,
    `/resources/hosts/${await addWideHost(admin, word)}`,
    `/resources/programs/${await addWideProgram(admin, word)}`,
    ...(await addWideStorage(admin, word)),
    `/resources/search-endpoints/${await addWideSearchEndpoint(admin, word)}`,
    `/resources/sites/${await addWideSite(admin, word)}`,
    `/resources/data-sources/${await addWideDataSource(admin, word)}`,
  ]
}

/** Adds a workspace that is switched off, with a file that a tool wrote. Returns its id. */
async function addWideWorkspace(admin: Ctx, userId: string, word: string): Promise<string> {
  const name = 'w'.repeat(60)
  const folder = path.join(await mkdtemp(path.join(await realpath(tmpdir()), 'files-')), word)
  await mkdir(folder)
  const { id: workspaceId } = await workspaceVerbs.create(admin, {
    name,
    folder,
    writable: true,
    note: word,
    enabled: false,
  })
  await db().fileVersion.create({
    data: {
      workspaceId,
      path: word,
      before: word,
      beforeBytes: word.length,
      callId: 'call',
      runId: workspaceId,
      userId,
      userLabel: accounts.wide.email,
    },
  })
  return workspaceId
}

/** Adds a host that nothing reads, and asks for another one. Returns its id. */
async function addWideHost(admin: Ctx, word: string): Promise<string> {
  const name = `https://${'w'.repeat(60)}.example`
  const { id } = await hostVerbs.create(admin, { name, note: word, enabled: false })
  await askForHost(admin, { origin: `https://${'v'.repeat(60)}.example` })
  return id
}

/** Adds a program that nothing runs. Returns its id. */
async function addWideProgram(admin: Ctx, word: string): Promise<string> {
  const words = `${word} --${'w'.repeat(80)}`
  const { id } = await programVerbs.create(admin, {
    name: 'w'.repeat(60),
    path: '/bin/ls',
    first: words,
    subcommands: words,
    note: word,
    accepted: word,
    enabled: false,
  })
  return id
}

/** Adds a storage that nothing uses, with an asset. Returns the addresses of both. */
async function addWideStorage(admin: Ctx, word: string): Promise<string[]> {
  const name = 'w'.repeat(100)
  const { id } = await storageVerbs.create(admin, { name, note: word, enabled: false })
  const path = `${'w'.repeat(200)}/${'w'.repeat(200)}`
  const asset = await addAsset(admin, pngHead(), { storageId: id, path, title: 'w'.repeat(200) })
  const page = `/resources/storages/${id}`
  return [page, `${page}/assets/${asset.uid}`]
}

/** Adds a search endpoint that nothing asks. Returns its id. */
async function addWideSearchEndpoint(admin: Ctx, word: string): Promise<string> {
  const address = `https://${'w'.repeat(60)}.example/${word}`
  const { id } = await searchEndpointVerbs.create(admin, {
    name: 'w'.repeat(100),
    kind: 'searxng',
    address,
    enabled: false,
  })
  return id
}

/** Adds the console's own database with a table that is open. Returns the id of the data source. */
async function addWideDataSource(admin: Ctx, word: string): Promise<string> {
  const { id } = await dataSourceVerbs.create(admin, {
    name: 'w'.repeat(60),
    kind: 'console',
    note: word,
    enabled: false,
  })
  const columns = ['id', 'name', 'description', 'createdByLabel', 'createdAt', 'updatedAt']
  await openTable(admin, { id, schema: 'public', name: 'groups', columns })
  // The database is copied next, which open connections forbid.
  await closePool('own')
  return id
}

/** Adds a site that nothing reads, with a check that found nothing. Returns its id. */
async function addWideSite(admin: Ctx, word: string): Promise<string> {
  const address = `https://${'w'.repeat(60)}.example/${word}`
  const site = { name: 'w'.repeat(60), address, sitemap: `${address}/${word}`, note: word }
  const { id: siteId } = await siteVerbs.create(admin, { ...site, enabled: false })
  const at = new Date()
  await db().siteCheck.create({ data: { siteId, at, pages: 0, ms: 1, trouble: word } })
  return siteId
}
