import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOfSite } from '@/lib/domains/sites/shared/site-address'
import { scrubSecrets } from '@/lib/engines/providers/failures/scrub-secrets'
import { createLogger } from '@/lib/kernel/log/create-logger'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryData, memoryHistory } from '@/tests/support/memory-data'
import { memoryResources } from '@/tests/support/memory-resources'
import { memoryStorages } from '@/tests/support/memory-storages'
import { memoryWeb } from '@/tests/support/memory-web'
import { memoryWorkspaces } from '@/tests/support/memory-workspaces'
import { drawer, secretForms, secretKinds, shownPart } from '@/tests/support/secret-kinds'
import { startWebServer } from '@/tests/support/web-server'
import { bindTool } from './bind-tool'
import browseFolder from './builtin/browse-folder'
import fetchLogs from './builtin/fetch-logs'
import getEnv from './builtin/get-env'
import getEnvRaw from './builtin/get-env-raw'
import getLastException from './builtin/get-last-exception'
import getPageContent from './builtin/get-page-content'
import getPageTree from './builtin/get-page-tree'
import getRecordHistory from './builtin/get-record-history'
import insertRecord from './builtin/insert-record'
import probeUrl from './builtin/probe-url'
import readAssetMeta from './builtin/read-asset-meta'
import readFile from './builtin/read-file'
import readRecords from './builtin/read-records'
import searchFiles from './builtin/search-files'
import searchFilesText from './builtin/search-files-text'
import searchRecords from './builtin/search-records'
import updateRecord from './builtin/update-record'
import type { ToolDefinition } from './define-tool'
import { pageLinks } from './sites/page-links'
import { pageTree } from './sites/page-tree'
import type { ToolResources } from './tool-resources'

let root: string
let server: Awaited<ReturnType<typeof startWebServer>>
/** Answer of the web server, as text and as a page. */
let served = ''
beforeAll(async () => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'ways-out-')))
  const answer = (type: string) => (_: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(served)
  }
  server = await startWebServer({
    '/text': answer('text/plain'),
    '/page': answer('text/html'),
    '/robots.txt': answer('text/plain'),
    '/elsewhere': (_, response) => response.writeHead(302, { location: served }).end(),
  })
})
afterAll(async () => {
  rmSync(root, { recursive: true, force: true })
  await server.close()
})

const environment = (text: string) => ({ environment: () => ({ NOTE: text, [text]: '1' }) })
const entry = (message: string) => ({
  at: '2026-01-01T00:00:00.000Z',
  level: 'error',
  source: 'engine',
  incidentId: null,
  message,
})

function exception(text: string) {
  const installation = {
    ...memoryResources().installation,
    lastException: async () => ({
      ...entry(text),
      error: { type: 'Error', message: text, stack: `Error: ${text}\n    at run (a.ts:1:2)` },
      sameIn24Hours: 1,
      folder: '/srv',
    }),
  }
  return callToolDirectly(getLastException, {}, { installation })
}

function logged(text: string): string {
  const lines: string[] = []
  const logger = createLogger((line) => lines.push(line), 'info')
  logger.error({ source: 'engine', err: new Error(text), notes: text.split('\n') }, text)
  return lines.join('\n')
}

const site = () => ({
  workspaces: memoryWorkspaces([{ id: 'w', name: 'handbook', root, isWritable: false }]),
})

const uid = '0198a3b4-1111-7abc-8def-0123456789ab'

/** Returns storages whose one asset has this text wherever people may write. */
const assetsWith = (text: string) => ({
  storages: memoryStorages([
    {
      uid,
      storage: 'Media',
      path: `x/${text}`,
      title: text,
      alternativeText: text,
      mediaType: 'image/png',
      bytes: 1,
      pixels: null,
      checksum: 'ab',
      createdAt: '2026-01-01T00:00:00.000Z',
      modifiedAt: '2026-01-01T00:00:00.000Z',
    },
  ]),
})
const website = ({ crawl = true } = {}) => {
  const facts = { id: 's', name: 'docs', sitemap: null, crawl, privateAddressAllowed: true }
  return { web: memoryWeb(), sites: { list: async () => [{ ...facts, address: server.origin }] } }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Returns the tree of a site with a page that has this text as its title, and where it is one line, pages at addresses with it. */
function treeOf(text: string) {
  const start = new URL('https://example.org/docs/')
  const content = new Uint8Array(Buffer.from(`<title>${escaped(text)}</title>`))
  const page = { content, charset: 'utf-8', address: start.href, start: start.href }
  const { title } = pageLinks({ about: 'links', most: 1, ...page })
  const pages = new Map([['/docs/titled', title]])
  const isLine = !/\n|"lines"/.test(text)
  for (const part of isLine ? [text, encodeURIComponent(text)] : []) {
    const url = new URL(`/docs/${part}`, start)
    if (isOfSite(start, url)) pages.set(url.pathname, '')
  }
  return pageTree(start, pages, { depth: 5, most: 200 })
}

/** Returns the folder of a storage with a folder of this name. */
function folderIn(text: string) {
  const folder = { total: 1, folders: [{ name: text, assets: 1 }], assets: [] }
  const { storages } = assetsWith('x')
  return callToolDirectly(
    browseFolder,
    { storage: 'Media', path: '' },
    { storages: { ...storages, browse: async () => folder } },
  )
}

function probed(text: string) {
  served = text
  return callToolDirectly(probeUrl, { url: `${server.origin}/text` }, website())
}

function written(text: string): object {
  writeFileSync(path.join(root, 'notes.txt'), text)
  return { workspace: 'handbook' }
}

const change = { table: 'notes', key: { note: 'a' }, set: { note: 'b' }, was: { note: 'old' } }
const recorded = { table: 'notes', key: { note: 'a' } }
const insertion = { table: 'notes', values: { note: 'b' } }

function lookDirectly(
  definition: ToolDefinition,
  args: unknown,
  resources: Partial<ToolResources>,
): unknown {
  const actor = { userId: 'u', email: 'ada@example.org', role: 'admin' as const }
  const signal = new AbortController().signal
  const context = { signal, actor, runId: 'run', configurationId: null, callId: 'call' }
  return bindTool(definition, () => memoryResources(resources)).look?.read(args, context)
}

/** Every way on which a text of this server, of a file or of a program leaves for a model, a log or a page. */
const ways: Record<string, (text: string) => unknown> = {
  get_env: (text) => callToolDirectly(getEnv, {}, environment(text)),
  get_env_raw: (text) => callToolDirectly(getEnvRaw, {}, environment(text)),
  fetch_logs: (text) =>
    callToolDirectly(fetchLogs, {}, { readLogs: async () => [entry(text), entry(text)] }),
  get_last_exception: exception,
  read_file: (text) => callToolDirectly(readFile, { ...written(text), path: 'notes.txt' }, site()),
  read_records: (text) => callToolDirectly(readRecords, { table: 'notes' }, memoryData(text)),
  'get_record_history of a table': (text) =>
    callToolDirectly(getRecordHistory, recorded, memoryHistory(text, 'table')),
  'get_record_history of the audit': (text) =>
    callToolDirectly(getRecordHistory, recorded, memoryHistory(text, 'audit')),
  search_records: (text) =>
    callToolDirectly(searchRecords, { table: 'notes', text: 'word' }, memoryData(text)),
  update_record: (text) =>
    callToolDirectly(
      updateRecord,
      change,
      memoryData(text, [[], [['old', true]], [], [[1]], [], [[text]]]),
    ),
  insert_record: (text) =>
    callToolDirectly(insertRecord, insertion, memoryData(text, [[['a']], [], [[`word ${text}`]]])),
  'preview of update_record': (text) =>
    lookDirectly(updateRecord, change, memoryData(text, [[], [[`word ${text}`, `word ${text}`]]])),
  'preview of insert_record': (text) =>
    lookDirectly(
      insertRecord,
      { ...insertion, values: { note: text } },
      memoryData(text, [[[text]], []]),
    ),
  search_files_text: (text) =>
    callToolDirectly(searchFilesText, { ...written(text), pattern: '.', regex: true }, site()),
  read_asset_meta: (text) => callToolDirectly(readAssetMeta, { uid }, assetsWith(text)),
  search_files: (text) => callToolDirectly(searchFiles, { text: 'png' }, assetsWith(text)),
  browse_folder: (text) =>
    callToolDirectly(browseFolder, { storage: 'Media', path: 'x' }, assetsWith(text)),
  'folders of browse_folder': folderIn,
  'paths and titles of get_page_tree': treeOf,
  probe_url: probed,
  'output of exec': (text) => redactText(text, { hashes: true }),
  'the log': logged,
  'errors of providers': (text) => scrubSecrets({ body: text, lines: text.split('\n') }, []),
}

describe.each(Object.entries(ways))('%s', (_, show) => {
  it.each(Object.entries(secretKinds))('shows nothing of %s in any form', async (kind, make) => {
    for (const [form, write] of Object.entries(secretForms)) {
      const example = make(drawer(kind.length * 7_919 + form.length))
      const { text, also } = write(example)
      const shown = await show(text)
      const words = typeof shown === 'string' ? shown : JSON.stringify(shown)
      for (const secret of [example.secret, ...also])
        expect(shownPart(words.replaceAll('\\n', '\n'), secret), `${form}\n${words}`).toBeNull()
    }
  })
})

describe('get_page_content', () => {
  // A process reads each page, so each has several forms.
  it.each(Object.entries(secretKinds))('shows nothing of %s in a page', async (kind, make) => {
    const example = make(drawer(kind.length * 7_919))
    const inline = secretForms.plain?.(example) ?? { text: '', also: [] }
    const block = secretForms['URL-encoded']?.(example) ?? { text: '', also: [] }
    const line = kind === 'PEM' ? '' : escaped(inline.text)
    served = `<title>T ${line}</title><p>${line}</p><p>and</p><pre>${escaped(example.text)}\n\n${escaped(block.text)}</pre>`
    const url = `${server.origin}/page`
    const shown = JSON.stringify(
      (await callToolDirectly(getPageContent, { url }, website())).content,
    )
    expect(shown).toContain('[redacted]')
    const plain = shown.replaceAll(/\\\\(?=[*_`[\]])/g, '').replaceAll('\\n', '\n')
    for (const secret of [example.secret, ...inline.also, ...block.also])
      expect(shownPart(plain, secret), plain).toBeNull()
  })
})

describe('an address that a website names', () => {
  it.each(Object.entries(secretKinds))('is told without %s', async (kind, make) => {
    const example = make(drawer(kind.length * 7_919))
    served = `/next?back=${encodeURIComponent(example.text)}`
    const url = `${server.origin}/elsewhere`
    const { content } = await callToolDirectly(probeUrl, { url }, website())
    served = `Sitemap: ${server.origin}${served}`
    const tree = callToolDirectly(getPageTree, { site: 'docs' }, website({ crawl: false }))
    for (const shown of [JSON.stringify(content), await tree.then(JSON.stringify, String)]) {
      expect(shown).toContain('[redacted]')
      for (const secret of [example.secret, encodeURIComponent(example.secret)])
        expect(shownPart(shown, secret), shown).toBeNull()
    }
  })
})

describe('search_files_text', () => {
  const search = async (pattern: string, regex: boolean) => {
    const input = { ...written(`a\npassword=hunter2hunter2\nb`), pattern, regex }
    const { content } = await callToolDirectly(searchFilesText, input, site())
    return Object(content).matches
  }

  it('never finds what is hidden, so that nobody can guess it letter by letter', async () => {
    expect(await search('hunter2', false)).toEqual([])
    expect(await search('=h', false)).toEqual([])
    expect(await search('password=h.*', true)).toEqual([])
    const answers = ['h', 'x'].map((letter) => search(`password=(${letter}|$|\\[)`, true))
    expect((await answers[0]).length).toBe((await answers[1]).length)
    expect(await search('password=', false)).toEqual([
      { path: 'notes.txt', line: 2, text: 'password=[redacted]' },
    ])
  })
})

describe('read_file', () => {
  it('hides a secret that began before the lines asked for, and keeps their numbers', async () => {
    const { secret, text } = secretKinds.PEM?.(drawer(5)) ?? { secret: '', text: '' }
    const input = { ...written(`one\n${text}\nlast`), path: 'notes.txt', start: 4, lines: 100 }
    const { content } = await callToolDirectly(readFile, input, site())
    expect(shownPart(String(content), secret)).toBeNull()
    expect(content).toMatch(/^Lines 4 to 10 of 10\.\n\n(?:\[redacted\]\n){6}last$/)
  })
})
