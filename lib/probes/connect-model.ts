import 'server-only'
import { z } from 'zod'
import { CreateConfiguration } from '@/lib/domains/configurations/schemas'
import { policyReasons } from '@/lib/domains/configurations/shape'
import { insertConfiguration, removeConfiguration } from '@/lib/domains/configurations/verbs'
import { requireAllowedAddress, requireFittingKey } from '@/lib/domains/connections/checks'
import { changedHeaders } from '@/lib/domains/connections/header-changes'
import {
  connectionFacts,
  type OpenConnection,
  openConnection,
  withSecrets,
} from '@/lib/domains/connections/open-connection'
import { requireConnection } from '@/lib/domains/connections/reads'
import { ConnectionFacts, CreateConnection } from '@/lib/domains/connections/schemas'
import { confirmStays, DataChoice, staysHere } from '@/lib/domains/connections/shared/connect'
import { insertConnection, removeConnection } from '@/lib/domains/connections/verbs'
import { staysInside } from '@/lib/domains/connections/zone-confirmation'
import { CreateModel, PricesInput } from '@/lib/domains/models/schemas'
import { insertModel, removeModel } from '@/lib/domains/models/verbs'
import { type AuditedChange, changed, verb } from '@/lib/edge/verb'
import { adviceWithNewKey } from '@/lib/engines/providers/failures/connection-advice'
import type { Ctx } from '@/lib/kernel/context'
import { db, type PolicyTx } from '@/lib/kernel/db'
import { AppError, ConflictError, ValidationError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { changePolicy } from '@/lib/kernel/policy-lock'
import type { Prices } from '@/lib/protocol/cost/money'
import { DataClass } from '@/lib/protocol/tool'
import { Identifier } from '@/lib/shape/identifier'
import { dataChoices, possibleZones, zoneFor } from './data-choices'
import { offersOf } from './discover-models'
import { freeIdentifier, freeName } from './free-names'
import { type ModelOffer, newModelOf } from './new-model-of'
import { sensibleModel } from './sensible-model'

/** A provider: a connection that is stored, or the facts of a new one. Its trust zone follows from the answer. */
const WantedProvider = z.union([
  z.object({ connectionId: z.string() }).strict(),
  CreateConnection.omit({ trustZone: true, confirmZone: true, reason: true }),
])
type WantedProvider = z.output<typeof WantedProvider>

/** `sensible`: the model to begin with; null = none is offered. `data`: from the least sensitive. */
const FoundModels = z.object({
  offers: z.array(z.custom<ModelOffer>()),
  sensible: z.string().nullable(),
  data: z.array(DataChoice),
  suggested: DataClass,
})

/**
 * Lists the models of a provider. Stores nothing. Throws AppError with the sentence that a test of the connection would
 * show, and RateLimitedError when this person asks too often.
 */
export const findModels = verb({
  name: 'model.find',
  role: 'admin',
  scope: null,
  summary: 'Asks a provider which models it offers, before its connection is stored.',
  input: z.object({ provider: WantedProvider }),
  output: FoundModels,
  transaction: false,
  run: async ({ ctx }, { provider }) => {
    const opened = await open(provider)
    const offers = await offersFrom(ctx, opened)
    const zones = await possibleZones(opened.facts, opened.id !== null)
    const data = await dataChoices(ctx, zones)
    const suggested = data.filter(({ isRaised }) => !isRaised).at(-1)?.dataClass ?? 'content'
    return { offers, sensible: sensibleModel(offers), data, suggested }
  },
})

const Connected = z.object({
  connectionId: z.string(),
  connectionName: z.string(),
  modelId: z.string(),
  configurationId: z.string(),
  identifier: z.string(),
  /** True for each object that was added now; one that was there before stays when it is undone. */
  added: z.object({ connection: z.boolean(), model: z.boolean() }),
})
export type Connected = z.output<typeof Connected>

/**
 * Asks the provider again, so that the model is stored as it describes it now. Throws ValidationError for a model that it
 * does not offer, for data that needs a reason or a confirmation, and what `findModels` throws.
 */
export const connectModel = verb({
  name: 'configuration.connect',
  role: 'admin',
  scope: null,
  summary: 'Adds a connection, one of its models and a configuration that runs it, in one change.',
  reason: 'optional',
  input: z.object({
    provider: WantedProvider,
    /** Null = the one that `findModels` calls sensible. */
    modelId: z.string().max(200).nullable().default(null),
    /** Name of the configuration in commands; null: made from the id of the model. */
    identifier: Identifier.nullable().default(null),
    dataClass: DataClass,
    /** The price of a model whose price the catalogue does not know; null = unknown. */
    price: z
      .object({ prices: PricesInput, source: CreateModel.shape.priceSource })
      .nullable()
      .default(null),
    /** True = a person says that what is sent to the address stays in their own network. */
    staysHere: z.boolean().default(false),
  }),
  output: Connected,
  audits: ['connection.create', 'model.create', 'configuration.create'],
  needsReauthentication: ({ provider }) =>
    !('connectionId' in provider) &&
    (provider.apiKey !== null || Object.keys(provider.headers).length > 0),
  transaction: 'later',
  run: async ({ ctx, change, reason }, { provider, modelId, dataClass, ...given }) => {
    const opened = await open(provider)
    const zones = await possibleZones(opened.facts, opened.id !== null)
    const { trustZone, isRaised } = zoneFor(dataClass, zones)
    if (isRaised && reason === '') throw new ValidationError({ reason: policyReasons.raise })
    if (opened.id === null && staysHere({ trustZone }) && !given.staysHere)
      throw new ValidationError({ staysHere: confirmStays })
    const facts = { ...opened.facts, trustZone }
    const connection = {
      ...opened.connection,
      ...(opened.id === null && { publicAddressRefused: staysInside(facts, null) }),
    }
    const offer = pickOffer(await offersFrom(ctx, { ...opened, connection }), modelId)
    return change(async (tx) => {
      const made = await make(tx, ctx, {
        opened: { ...opened, facts },
        offer,
        identifier: given.identifier,
        price: given.price,
        dataClass,
        isRaised,
        reason,
      })
      return { ...made, changes: made.changes.map((each) => ({ ...each, reason })) }
    }, changePolicy)
  },
})

/** Throws ConflictError, which names the users, when something else uses one of them by now. */
export const undoConnect = verb({
  name: 'configuration.undo-connect',
  role: 'admin',
  scope: null,
  summary: 'Deletes what `configuration.connect` added. Runs that were made with it stay.',
  input: Connected,
  audits: ['connection.delete', 'model.delete', 'configuration.delete'],
  transaction: changePolicy,
  run: async ({ tx }, { configurationId, modelId, connectionId, added }) => {
    const changes = [
      ...asChanges('configuration.delete', await removeConfiguration(tx, configurationId)),
      ...(added.model ? asChanges('model.delete', await removeModel(tx, modelId)) : []),
      ...(added.connection
        ? asChanges('connection.delete', await removeConnection(tx, connectionId))
        : []),
    ]
    return changed(undefined, ...changes)
  },
})

function asChanges<A extends string>(
  action: A,
  { changes }: { changes: readonly AuditedChange[] },
) {
  return changes.map((each) => ({ ...each, action }))
}

/** `id` null = a new connection. */
type Opened = {
  id: string | null
  facts: ConnectionFacts
  connection: OpenConnection
  apiKey: string | null
  headers: Record<string, string>
}

async function open(provider: WantedProvider): Promise<Opened> {
  if ('connectionId' in provider) {
    const row = await requireConnection(provider.connectionId)
    const connection = await openConnection(db(), row)
    const { apiKey, headers } = connection
    return { id: row.id, facts: connectionFacts(row), connection, apiKey, headers }
  }
  const { apiKey, headers: changes, ...given } = provider
  const facts = parseInput(ConnectionFacts, { ...given, trustZone: 'external-global' })
  requireFittingKey(facts, apiKey)
  await requireAllowedAddress(facts)
  const headers = changedHeaders({}, changes)
  // Its trust zone is picked later, and no data is sent until then.
  const connection = withSecrets(facts, { apiKey, headers, publicAddressRefused: false })
  return { id: null, facts, connection, apiKey, headers }
}

async function offersFrom(ctx: Ctx, { id, facts, connection }: Opened): Promise<ModelOffer[]> {
  try {
    return await offersOf(ctx, { id, name: facts.name, connection })
  } catch (error) {
    if (id !== null || !(error instanceof AppError) || !error.code.startsWith('provider-'))
      throw error
    throw new AppError(error.code, error.status, adviceWithNewKey(error.message))
  }
}

function pickOffer(offers: readonly ModelOffer[], modelId: string | null): ModelOffer {
  const wanted = modelId ?? sensibleModel(offers)
  const offer = offers.find((each) => each.modelId === wanted)
  if (offer) return offer
  throw new ValidationError({
    modelId:
      wanted === null ? 'The provider offers no model.' : `The provider does not offer ${wanted}.`,
  })
}

type Wanted = {
  opened: Opened
  offer: ModelOffer
  identifier: string | null
  price: { prices: Prices; source: string } | null
  dataClass: DataClass
  isRaised: boolean
  reason: string
}

async function make(
  tx: PolicyTx,
  ctx: Ctx,
  {
    opened: { id, facts, apiKey, headers },
    offer,
    identifier: named,
    price,
    dataClass,
    isRaised,
    reason,
  }: Wanted,
) {
  const name = id === null ? await freeName(tx, 'connection', facts.name) : facts.name
  const connection =
    id === null
      ? await insertConnection(tx, { facts: { ...facts, name }, apiKey, headers, confirmed: null })
      : { output: { id }, changes: [] }
  const { id: connectionId } = connection.output
  const known = await tx.model.findFirst({
    where: { connectionId, modelId: offer.modelId },
    select: { id: true, enabled: true },
  })
  if (known && !known.enabled)
    throw new ConflictError('This model is switched off. Switch it on first.', 'modelId')
  const description = parseInput(CreateModel, {
    ...(price && { prices: price.prices, priceSource: price.source }),
    ...newModelOf(offer),
    connectionId,
  })
  const model = known
    ? { output: known, changes: [] }
    : await insertModel(tx, ctx, description, name)
  const identifier = named ?? (await freeIdentifier(tx, offer.modelId))
  const given = parseInput(CreateConfiguration, {
    identifier,
    name: await freeName(tx, 'configuration', description.displayName ?? offer.modelId),
    modelId: model.output.id,
    note: reason,
  })
  const raised = isRaised ? dataClass : null
  const configuration = await insertConfiguration(tx, ctx, given, raised)
  const output = {
    connectionId,
    connectionName: name,
    modelId: model.output.id,
    configurationId: configuration.output.id,
    identifier,
    added: { connection: id === null, model: known === null },
  }
  return changed(
    output,
    ...asChanges('connection.create', connection),
    ...asChanges('model.create', model),
    ...asChanges('configuration.create', configuration),
  )
}
