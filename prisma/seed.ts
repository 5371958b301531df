import { addShippedTask, listShippedTasks } from '@/lib/domains/tasks/shipped'
import type { PrismaClient } from '@/lib/generated/prisma/client'
import { systemCtx } from '@/lib/kernel/context'
import { db, unaudited } from '@/lib/kernel/db'
import { holdLock } from '@/lib/kernel/locks'
import { findOllamaModels } from './seed/find-ollama-models'
import { anthropicModel, demoRules, openaiModel } from './seed/known-models'
import { seedFirstAdmin } from './seed/seed-first-admin'
import { seedProvider } from './seed/seed-provider'

export type SeedOptions = {
  /** Variables with keys of providers and the first admin. */
  source?: Record<string, string | undefined>
  ollamaUrl?: string
}

const seededKey = 'seeded'

const systemPrompt =
  'You help the admins of this Toolgate installation. Use the tools you are offered to find facts instead of guessing, and say so when you cannot find something out.'

/**
 * Fills a new installation: the demo, the tasks that come with Toolgate, a provider for each key or local Ollama found, the first admin.
 * It happens once: later starts change nothing and bring nothing back, except that a missing first admin is created.
 */
export async function seed(options: SeedOptions = {}): Promise<{ seeded: boolean }> {
  const { source = process.env } = options
  const ollamaUrl = options.ollamaUrl ?? 'http://127.0.0.1:11434'
  await seedFirstAdmin(source)
  return alone(async () => {
    if (await db().setting.findUnique({ where: { key: seededKey } })) return { seeded: false }
    await seedDemo()
    await seedTasks()
    await seedCloudProviders(source)
    await seedOllama(ollamaUrl)
    const value = { at: new Date().toISOString() }
    await unaudited(db(), 'that these examples were added').setting.create({
      data: { key: seededKey, value },
    })
    return { seeded: true }
  })
}

/** Lets one process at a time seed; the lock lives in a transaction of its own, so it cannot outlive a crash. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  return (db() as PrismaClient).$transaction(
    async (tx) => {
      await holdLock(tx, 'seed')
      return work()
    },
    { maxWait: 30_000, timeout: 60_000 },
  )
}

async function seedDemo(): Promise<void> {
  await seedProvider({
    connection: { name: 'Demo', wire: 'demo', trustZone: 'local' },
    models: [demoRules],
    configuration: {
      identifier: 'demo',
      name: 'Demo (no model)',
      description:
        'A rule-based stand-in that needs no key and works offline: it reads the prompt, asks for fitting tools and reports what they said. Connect a provider for real answers.',
      systemPrompt: 'Answer from what the tools report.',
    },
  })
}

/** Adds the tasks that come with Toolgate; those that a start added which was cut short stay. */
async function seedTasks(): Promise<void> {
  const ctx = systemCtx()
  for (const { identifier, isAdded } of await listShippedTasks(ctx, {}))
    if (!isAdded) await addShippedTask(ctx, { identifier })
}

async function seedCloudProviders(source: Record<string, string | undefined>): Promise<void> {
  const { OPENAI_API_KEY: openaiKey, ANTHROPIC_API_KEY: anthropicKey } = source
  if (openaiKey) {
    await seedProvider({
      connection: {
        name: 'OpenAI',
        wire: 'openai',
        trustZone: 'external-global',
        apiKey: openaiKey,
      },
      models: [openaiModel],
      configuration: { identifier: 'openai', name: 'OpenAI GPT-5.4 mini', systemPrompt },
    })
  }
  if (anthropicKey) {
    await seedProvider({
      connection: {
        name: 'Anthropic',
        wire: 'anthropic',
        trustZone: 'external-global',
        apiKey: anthropicKey,
      },
      models: [anthropicModel],
      configuration: {
        identifier: 'anthropic',
        name: 'Anthropic Claude Sonnet 5.5',
        systemPrompt,
        maxOutputTokens: 16_000,
      },
    })
  }
}

async function seedOllama(baseUrl: string): Promise<void> {
  const [first, ...rest] = await findOllamaModels(baseUrl)
  if (!first) return
  await seedProvider({
    connection: {
      name: 'Ollama',
      wire: 'ollama',
      baseUrl,
      trustZone: 'local',
      privateAddressAllowed: true,
    },
    models: [first, ...rest],
    configuration: {
      identifier: 'ollama',
      name: `Ollama ${first.displayName}`.slice(0, 100),
      systemPrompt,
    },
  })
}
