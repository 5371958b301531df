import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import pg from 'pg'

const SCHEMA_FILE = path.join(import.meta.dirname, '../../prisma/schema.prisma')

/**
 * Returns the SQL that makes the database at `databaseUrl` match prisma/schema.prisma, or null when it already does.
 * Only reads. Prisma's own command for this downloads an engine; the same engine comes from npm as
 * WebAssembly (docs/decisions/025-migrations-are-plain-sql.md).
 */
export async function schemaDifference(databaseUrl: string): Promise<string | null> {
  const content = await readFile(SCHEMA_FILE, 'utf8')
  const files = [{ path: SCHEMA_FILE, content }]
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  engineModule ??= loadEngine()
  const { SchemaEngine } = await engineModule
  const engine = await SchemaEngine.new(
    { datamodels: [[SCHEMA_FILE, content]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(adapterFactory(client)),
  )
  try {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      // Our own tables that the schema does not name.
      filters: { externalTables: ['public.applied_migrations'], externalEnums: [] },
    })
    return exitCode === 0 ? null : stdout
  } finally {
    engine.free()
    await client.end()
  }
}

/** The generated half of the engine. */
type EngineModule = {
  SchemaEngine: typeof SchemaEngine
  __wbg_set_wasm: (exports: WebAssembly.Exports) => void
}

/** Loaded once: the generated half knows one instance. */
let engineModule: Promise<EngineModule> | undefined

/**
 * Loads the engine's two halves and joins them, because Node 20 cannot import the .wasm file that the package imports.
 */
async function loadEngine(): Promise<EngineModule> {
  const generated: EngineModule & WebAssembly.ModuleImports = await import(
    '@prisma/schema-engine-wasm/schema_engine_bg'
  )
  const file = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm')
  const module = new WebAssembly.Module(await readFile(file))
  const { exports } = new WebAssembly.Instance(module, { './schema_engine_bg.js': generated })
  generated.__wbg_set_wasm(exports)
  if (typeof exports.__wbindgen_start === 'function') exports.__wbindgen_start()
  return generated
}

const { builtins } = pg.types

/** The types of the columns that the engine reads from PostgreSQL's catalogue. Prisma's own adapter refuses "char". */
const columnTypes = new Map<number, (typeof ColumnTypeEnum)[keyof typeof ColumnTypeEnum]>([
  [builtins.BOOL, ColumnTypeEnum.Boolean],
  [builtins.CHAR, ColumnTypeEnum.Character],
  [builtins.INT2, ColumnTypeEnum.Int32],
  [builtins.INT4, ColumnTypeEnum.Int32],
  [builtins.INT8, ColumnTypeEnum.Int64],
  [builtins.OID, ColumnTypeEnum.Int64],
  [builtins.TEXT, ColumnTypeEnum.Text],
  [builtins.VARCHAR, ColumnTypeEnum.Text],
  [19 /* name */, ColumnTypeEnum.Text],
  [1009 /* text[] */, ColumnTypeEnum.TextArray],
])

/** Returns an adapter through which the schema engine reads a database with `client`. It refuses everything else. */
function adapterFactory(client: pg.Client): SqlMigrationAwareDriverAdapterFactory {
  const info = { provider: 'postgres', adapterName: '@prisma/adapter-pg' } as const
  const refuse = () => Promise.reject(new Error('The schema engine may only read.'))
  const adapter: SqlDriverAdapter = {
    ...info,
    queryRaw: async ({ sql, args }) => {
      const { fields, rows } = await client.query<unknown[]>({
        text: sql,
        values: args,
        rowMode: 'array',
      })
      return {
        columnNames: fields.map(({ name }) => name),
        columnTypes: fields.map(columnType),
        rows,
      }
    },
    executeRaw: refuse,
    executeScript: refuse,
    startTransaction: refuse,
    dispose: async () => undefined,
  }
  const connect = async () => adapter
  return { ...info, connect, connectToShadowDb: connect }
}

function columnType({ name, dataTypeID }: pg.FieldDef) {
  const type = columnTypes.get(dataTypeID)
  if (type === undefined) throw new Error(`The type ${dataTypeID} of column ${name} is not known.`)
  return type
}
