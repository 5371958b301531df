import type { Migration } from '../migrate'
import type { BackedUpTable } from './backup-file'
import { leftOut } from './console-tables'

/** Comments, texts and bodies of functions, in which a word is no statement. */
const noStatement = /--.*$|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/gm
const name = '"?(\\w+)"?'
const creating = new RegExp(`^CREATE TABLE (?:IF NOT EXISTS )?${name} ?\\((.*)\\)$`, 'i')
const altering = new RegExp(`^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?${name} (.*)$`, 'i')
const dropping = /^DROP TABLE (?:IF EXISTS )?(.*)$/i
const adding = new RegExp(`^ADD (?:COLUMN )?(?:IF NOT EXISTS )?${name}`, 'i')
const removing = new RegExp(`^DROP (?:COLUMN )?(?:IF EXISTS )?${name}`, 'i')
const renaming = new RegExp(`^RENAME (?:COLUMN )?${name} TO ${name}$`, 'i')
const renamingTable = new RegExp(`^RENAME TO ${name}$`, 'i')
const ofConstraint =
  /^(?:ADD |DROP |RENAME )?(?:CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN|EXCLUDE)\b/i

/**
 * Returns the tables that belong into a backup of a database with these migrations, with their columns. It reads the statements that
 * make, change and drop tables, so it needs no database.
 */
export function tablesAfter(migrations: readonly Pick<Migration, 'sql'>[]): BackedUpTable[] {
  const tables = new Map<string, Set<string>>()
  for (const { sql } of migrations) {
    const statements = sql.replace(noStatement, ' ').split(';')
    for (const statement of statements) follow(tables, statement.replace(/\s+/g, ' ').trim())
  }
  for (const table of leftOut) tables.delete(table)
  return [...tables].map(([table, columns]) => ({ table, columns: [...columns] }))
}

function follow(tables: Map<string, Set<string>>, statement: string): void {
  const [, made, body = ''] = creating.exec(statement) ?? []
  if (made !== undefined) {
    const columns = partsOf(body).filter((part) => !ofConstraint.test(part))
    tables.set(made, new Set(columns.map((part) => /\w+/.exec(part)?.[0] ?? '')))
  }
  const [, dropped] = dropping.exec(statement) ?? []
  for (const [table] of dropped?.matchAll(/\w+/g) ?? []) tables.delete(table)
  const [, changed = '', acts = ''] = altering.exec(statement) ?? []
  const columns = tables.get(changed)
  if (!columns) return
  for (const act of partsOf(acts)) {
    if (!ofConstraint.test(act)) alter(columns, act)
    const [, renamed] = renamingTable.exec(act) ?? []
    if (renamed === undefined) continue
    tables.delete(changed)
    tables.set(renamed, columns)
  }
}

function alter(columns: Set<string>, act: string): void {
  const [, added] = adding.exec(act) ?? []
  if (added !== undefined) columns.add(added)
  const [, removed] = removing.exec(act) ?? []
  if (removed !== undefined) columns.delete(removed)
  const [, from = '', to = ''] = renaming.exec(act) ?? []
  if (columns.delete(from)) columns.add(to)
}

/** Splits a list at the commas that no parentheses hold. */
function partsOf(list: string): string[] {
  let depth = 0
  let part = ''
  const parts: string[] = []
  for (const letter of list) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter === ',' && depth === 0) {
      parts.push(part.trim())
      part = ''
    } else {
      part += letter
    }
  }
  return [...parts, part.trim()]
}
