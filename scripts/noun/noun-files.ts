/** The names of a new noun, in each form that the code has. */
export type Names = {
  /** "mail-box" */
  noun: string
  /** "mail-boxes" */
  nouns: string
  /** "mail box" and "mail boxes" */
  one: string
  many: string
  /** "MailBox" */
  model: string
  /** "mailBox" */
  variable: string
  /** "mailBoxes" */
  key: string
  /** "mail_boxes" */
  table: string
}

/** Returns the names of a noun from its singular and plural, such as "mail-box" and "mail-boxes". */
export function namesOf(noun: string, nouns: string): Names {
  const variable = camel(noun)
  return {
    noun,
    nouns,
    one: noun.replaceAll('-', ' '),
    many: nouns.replaceAll('-', ' '),
    model: capital(variable),
    variable,
    key: camel(nouns),
    table: nouns.replaceAll('-', '_'),
  }
}

function camel(kebab: string): string {
  return kebab.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Returns the sources of a new noun's own files, by their paths. They are formatted once they are written. */
export function ownFiles(names: Names): Record<string, string> {
  const { noun, nouns } = names
  const page = `app/(console)/(admin)/resources/${nouns}`
  return {
    [`lib/domains/${nouns}/shape.ts`]: shapeText(names),
    [`lib/domains/${nouns}/verbs.ts`]: verbsText(names),
    [`${page}/${noun}-form.tsx`]: formText(names),
    [`${page}/page.tsx`]: listText(names),
    [`${page}/[${names.variable}Id]/page.tsx`]: objectText(names),
    [`${page}/loading.tsx`]:
      "export { ResourceSkeleton as default } from '@/components/resource/resource-skeleton'\n",
    [`tests/integration/${nouns}.test.ts`]: testText(names),
  }
}

function shapeText({ key, one, many }: Names): string {
  return `import { describedNouns } from '@/lib/protocol/nouns'
import { nameField } from '@/lib/shape/identifier'
import { resource, switchField } from '@/lib/shape/resource'
import { adminNoteField } from '@/lib/shape/resource-fields'

/** A ${one}. */
export const ${key} = resource({
  ...describedNouns.${key},
  about: 'the ${many}',
  fields: {
    name: nameField,
    note: { ...adminNoteField, listed: true, searched: true },
    enabled: switchField('It is not used until it is switched on again.'),
  },
  sorts: ['name', 'state'],
  order: 'name',
})
`
}

function verbsText({ key, variable, one, many }: Names): string {
  return `import { resourceVerbs } from '@/lib/edge/resource-verbs'
import { ${key} } from './shape'

/** The operations on ${many}. */
export const ${variable}Verbs = resourceVerbs(${key}, {
  summaries: {
    create: 'Adds a ${one}.',
    update: 'Changes a ${one}, or switches it. Fields that are left out stay.',
    remove: 'Deletes a ${one}.',
    list: 'Lists the ${many}.',
    read: 'Returns one ${one}.',
  },
  most: 100,
  rows: (client) => client.${variable}.findMany(),
  store: {
    count: (client) => client.${variable}.count(),
    find: (client, where) => client.${variable}.findUnique({ where }),
    insert: (tx, data) => tx.${variable}.create({ data }),
    write: (tx, id, data) => tx.${variable}.update({ where: { id }, data }),
    remove: ({ tx }, { id }) => tx.${variable}.delete({ where: { id } }),
  },
  needsReauthentication: true,
})
`
}

function formText({ key, variable, model, nouns }: Names): string {
  return `'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { ${key} } from '@/lib/domains/${nouns}/shape'

export const ${variable}Form = resourceForm(${key}, {
  description: 'Everybody may use it.',
  removal: 'To pause it, switch it off instead.',
})
export const New${model}Button = ${variable}Form.NewButton
export const ${model}Actions = ${variable}Form.Actions
`
}

function listText({ key, variable, model, noun, nouns, one, many }: Names): string {
  return `import { ${variable}Verbs } from '@toolgate/server/domains/${nouns}/verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import { ${key} } from '@/lib/domains/${nouns}/shape'
import { New${model}Button } from './${noun}-form'

export const metadata = { title: '${capital(many)}' }

export default resourceListPage(${key}, ${variable}Verbs, {
  about: 'Every ${one} of this site.',
  empty: 'Add the first ${one}.',
  add: New${model}Button,
})
`
}

function objectText({ key, variable, model, noun, nouns }: Names): string {
  return `import { ${variable}Verbs } from '@toolgate/server/domains/${nouns}/verbs'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import { ${key} } from '@/lib/domains/${nouns}/shape'
import { ${model}Actions } from '../${noun}-form'

const { page, generateMetadata } = resourcePage(${key}, ${variable}Verbs, ({ object, choices }) => ({
  actions: <${model}Actions object={object} choices={choices} />,
}))

export { generateMetadata }
export default page
`
}

function testText({ noun, nouns, one, key, variable }: Names): string {
  return `import { beforeAll, expect, test } from 'vitest'
import { ${variable}Verbs } from '@/lib/domains/${nouns}/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let member: Ctx

beforeAll(async () => {
  ;[admin, member] = await Promise.all([addPerson('admin'), addPerson('member')])
})

test('an admin adds, changes and deletes a ${one}, and the audit says so', async () => {
  const { id } = await ${variable}Verbs.create(admin, { name: 'First' })
  await ${variable}Verbs.update(admin, { id, note: 'Renewed', enabled: false })
  expect(await ${variable}Verbs.read(admin, { id: 'First' })).toMatchObject({
    name: 'First',
    note: 'Renewed',
    enabled: false,
  })
  await ${variable}Verbs.remove(admin, { id })
  const entries = await db().auditEntry.findMany({
    where: { objectType: '${noun}', objectId: id },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
  })
  const acts = ['create', 'update', 'switch-off', 'delete']
  expect(entries.map(({ action }) => action)).toEqual(acts.map((act) => \`${noun}.\${act}\`))
})

test('only admins add one', async () => {
  const add = ${variable}Verbs.create(member, { name: 'Of a member' })
  await expect(add).rejects.toMatchObject({ code: 'forbidden' })
  expect(await db().${variable}.count({ where: { name: 'Of a member' } })).toBe(0)
})

test('the API, commands and the site file know it', async () => {
  const added = await toolgate(['${noun}', 'add', 'Second', '--note', 'By command'])
  expect(added).toMatchObject({ code: 0, stderr: '' })
  const key = await apiKeyOf(admin, '${nouns}:read')
  const listed = await (await askApi('GET', '/${nouns}', { key })).json()
  expect(JSON.stringify(listed)).toContain('By command')
  expect((await toolgate(['${noun}', 'list'])).stdout).toMatch(/Second +on +By command/)
  expect((await toolgate(['${noun}', 'delete', 'Second'])).code).toBe(0)
  const file = parseSiteFile('toolgate: 2\\n${key}: [{ name: Third }]')
  expect(file.${key}).toEqual([{ name: 'Third' }])
})
`
}

/** Returns the entry of the list of names. */
export function namesEntry({ noun, nouns, one, many, table, key }: Names): string {
  // The palette compares single words.
  const finds = [...new Set(`${one} ${many}`.split(' '))]
  const words = noun.includes('-') ? `words: { one: '${one}', many: '${many}' },` : ''
  return `  ${key}: {
    noun: '${noun}',
    nouns: '${nouns}',
    ${words}
    path: '/resources/${nouns}',
    table: '${table}',
    key: 'name',
    allows: { read: 'List and read ${many}', write: 'Add, change and delete ${many}' },
    isSensitive: true,
    afterRestore: 'off',
    finds: [${finds.map((word) => `'${word}'`).join(', ')}],
  },
`
}

/** Returns the model of the database's schema. */
export function modelText({ model, table, one }: Names): string {
  return `
/// A ${one}.
model ${model} {
  id             String   @id @default(uuid(7)) @db.Uuid
  name           String   @unique
  note           String?
  enabled        Boolean  @default(true)
  createdByLabel String
  createdAt      DateTime @default(now())
  updatedAt      DateTime @updatedAt

  @@map("${table}")
}
`
}

/** Returns the migration that makes its table. */
export function migrationText({ table }: Names): string {
  return `-- CreateTable
CREATE TABLE "${table}" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "note" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "${table}_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "${table}_name_key" ON "${table}"("name");
`
}
