import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import pg from 'pg'
import { openCatalogueAdapter } from './catalogue-adapter'

/** The generated half of the engine: Node cannot import a .wasm file, so the two halves are joined here. */
type EngineModule = {
  SchemaEngine: typeof SchemaEngine
  __wbg_set_wasm: (exports: WebAssembly.Exports) => void
}

type Addresses = {
  databaseUrl: string
  /** An empty database for replaying migrations; only needed to write a new one. */
  shadowUrl?: string
}

let engineModule: Promise<EngineModule> | undefined

/**
 * Lends Prisma's own schema engine (WebAssembly, no download) to `work`, then frees it and its connections.
 * It keeps `_prisma_migrations` exactly as `prisma migrate` does.
 */
export async function withSchemaEngine<T>(
  addresses: Addresses,
  schema: [path: string, text: string],
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  engineModule ??= loadEngine()
  const { SchemaEngine } = await engineModule
  const pool = openPool(addresses.databaseUrl)
  const shadowPool = openPool(addresses.shadowUrl)
  const factory = bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => new PrismaPg(pool).connect(),
    connectToShadowDb: () => openCatalogueAdapter(shadowPool),
  })
  const engine = await SchemaEngine.new({ datamodels: [schema] }, () => {}, factory)
  try {
    return await work(engine)
  } finally {
    engine.free()
    await Promise.all([pool.end(), shadowPool.end()])
  }
}

function openPool(connectionString: string | undefined): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 })
  // Dropping the shadow database may end a connection that is about to close by itself.
  pool.on('error', () => {})
  return pool
}

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
