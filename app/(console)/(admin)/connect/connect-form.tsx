'use client'
import type { ConnectionPreset } from '@toolgate/server/domains/connections/presets'
import type { OfferRow } from '@toolgate/server/probes/offer-row'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { sendAction } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import {
  type ConnectionDraft,
  draftOfPreset,
  emptyDraft,
  fieldOf,
  missingKey,
  needsKey,
  toNewConnection,
} from '@/components/nouns/connection-draft'
import { AddressField, SettingFields } from '@/components/nouns/connection-fields'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import { connectionShape } from '@/lib/domains/connections/shape'
import { keyLabel, settingProblems } from '@/lib/domains/connections/shared/connection-settings'
import type { ActionError } from '@/lib/next/action'
import type { DataClass } from '@/lib/protocol/tool'
import { secretField } from '@/lib/shape/field-shape'
import { countOf } from '@/lib/words/format'
import { connect, findForMe } from './actions'
import { DataQuestion } from './data-question'
import type { Done } from './first-run'
import { ModelChoices } from './model-choices'
import {
  asksPrice,
  noPriceAnswer,
  type PriceAnswer,
  PriceQuestion,
  pricesOf,
} from './price-question'

type ConnectValues = ConnectionDraft &
  PriceAnswer & {
    modelId: string
    dataClass: DataClass | ''
    staysHere: boolean
    reason: string
  }

/** A stored connection whose models are asked for. */
export type StoredConnection = { id: string; name: string }

type Answer = Awaited<ReturnType<typeof findForMe>>
type Found = Extract<Answer, { ok: true }>['value']

type Props = {
  /** Null = another server, or a stored connection. */
  preset: ConnectionPreset | null
  stored: StoredConnection | null
  onDone: (done: Done) => void
}

export function ConnectForm({ preset, stored, onDone }: Props) {
  const { form, found, finding, find } = useConnect({ preset, stored, onDone })
  const draft = form.watch()
  const offer = found?.offers.find(({ modelId }) => modelId === draft.modelId)
  const provider = stored?.name ?? preset?.label ?? 'Another server'
  return (
    <Form form={form} className="max-w-160 gap-6" label="Connect a model">
      <Section title="Provider">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium text-strong">{provider}</span>
          <Link href="/connect" className="text-link hover:underline">
            Change
          </Link>
        </p>
        {!stored && <ProviderFields preset={preset} draft={draft} onPasted={find} />}
        <div className="flex flex-wrap items-center gap-3">
          {found ? (
            <Button loading={finding} onClick={find}>
              Reload models
            </Button>
          ) : (
            <Button type="submit" variant="primary" loading={finding}>
              Find models
            </Button>
          )}
          <p role="status" className="text-muted">
            {finding
              ? `Asking ${provider}…`
              : found && `${countOf(found.offers.length, 'model')} found.`}
          </p>
        </div>
      </Section>
      {found && (
        <>
          <ModelChoices offers={found.offers} sensible={found.sensible} />
          {asksPrice(offer) && <PriceQuestion offer={offer} price={draft.price} />}
          <DataQuestion data={found.data} suggested={found.suggested} />
          <FormButtons button="Connect">
            <Button asChild>
              <Link href="/connections">Cancel</Link>
            </Button>
          </FormButtons>
        </>
      )}
      {!found && <Failure>{form.failure}</Failure>}
    </Form>
  )
}

function Failure({ children }: { children: ReactNode }) {
  return children === null ? null : (
    <p role="alert" className="text-error">
      {children}
    </p>
  )
}

/** Shows what a provider of this kind needs: mostly a key alone. A pasted key is checked at once. */
function ProviderFields({
  preset,
  draft,
  onPasted,
}: {
  preset: ConnectionPreset | null
  draft: ConnectionDraft
  onPasted: () => void
}) {
  const secretLabel = keyLabel(draft.wire, draft.settings)
  const hasOwnAddress =
    preset?.baseUrl === null || /^https:\/\/[^A-Z]*$/.test(preset?.baseUrl ?? 'x')
  const needsSettings = settingProblems(draft.wire, preset?.settings ?? {}).length > 0
  return (
    <>
      {!hasOwnAddress && <AddressField draft={draft} />}
      {preset === null && (
        <FormField name="privateAddressAllowed" shape={connectionShape.privateAddressAllowed} />
      )}
      {needsSettings && <SettingFields wire={draft.wire} />}
      {secretLabel !== null && (
        // The value is in the form only after the event.
        <div onPaste={() => setTimeout(onPasted)}>
          <FormField
            name="apiKey"
            autoFocus={hasOwnAddress && !needsSettings}
            shape={{ ...secretField(secretLabel), optional: !needsKey(draft, preset) }}
            hint={keyHint(preset)}
          />
        </div>
      )}
    </>
  )
}

function keyHint(preset: ConnectionPreset | null): string {
  if (!preset?.keyFrom) return 'If the server requires one. Never shown again.'
  return `From ${preset.keyFrom}. Never shown again.`
}

function useConnect({ preset, stored, onDone }: Props) {
  const [answer, setAnswer] = useState<{ requested: string; found: Found } | null>(null)
  const [finding, setFinding] = useState(false)
  const providerOf = (typed: ConnectionDraft) => {
    if (stored) return { connectionId: stored.id }
    const { trustZone: _zone, ...facts } = toNewConnection(typed)
    return facts
  }
  // The models of one key and address do not count for another, which has to be asked again.
  const foundWith = (typed: ConnectionDraft): Found | null =>
    answer?.requested === JSON.stringify(providerOf(typed)) ? answer.found : null
  const form = useActionForm<ConnectValues, Done['connected']>({
    values: {
      ...(preset ? draftOfPreset(preset) : { ...emptyDraft, name: 'My server' }),
      modelId: '',
      dataClass: '',
      staysHere: false,
      reason: '',
      ...noPriceAnswer,
    },
    fieldOf: (path) => priceFields[path] ?? fieldOf(path.replace(/^provider\./, '')),
    adjust: (now, before) =>
      now.modelId === before.modelId ? {} : priceOf(foundWith(now)?.offers, now.modelId),
    ask: async (typed) => {
      const current = foundWith(typed)
      if (current) return missing(typed, current)
      // Enter in a field asks the provider, as the button beside it does.
      await find()
      return true
    },
    send: (typed) => {
      const request = foundWith(typed)?.offers.find(({ modelId }) => modelId === typed.modelId)
      return connect({
        provider: providerOf(typed),
        price: asksPrice(request) ? pricesOf(typed, request) : null,
        modelId: typed.modelId,
        dataClass: typed.dataClass || 'content',
        staysHere: typed.staysHere,
        ...(typed.reason.trim() !== '' && { reason: typed.reason }),
      })
    },
    onDone: (connected, sent) => {
      const model = foundWith(sent)?.offers.find(({ modelId }) => modelId === sent.modelId)
      if (model) onDone({ connected, model })
    },
  })
  const found = foundWith(form.watch())
  const find = async () => {
    const typed = form.getValues()
    const error = stored ? null : missingKey(typed, preset)
    if (error) return form.refuse(error)
    const provider = providerOf(typed)
    setFinding(true)
    const result = await sendAction(() => findForMe({ provider }))
    setFinding(false)
    if (!result.ok) return form.refuse(atKey(result.error, stored !== null || typed.apiKey === ''))
    form.clearErrors()
    const { sensible, suggested } = result.value
    form.change({ modelId: sensible ?? '', dataClass: suggested })
    form.change(priceOf(result.value.offers, sensible))
    setAnswer({ requested: JSON.stringify(provider), found: result.value })
  }
  return { form, found, finding, find: () => void find() }
}

/** Returns the error of a provider at the key, which is what people just typed. */
function atKey(error: ActionError, hasNoKey: boolean): ActionError {
  if (hasNoKey || error.fields || !error.code.startsWith('provider-')) return error
  return { ...error, fields: { apiKey: error.message } }
}

function missing(typed: ConnectValues, { offers }: Found): ActionError | false {
  const offer = offers.find(({ modelId }: OfferRow) => modelId === typed.modelId)
  if (!offer) return lacking('modelId', 'Pick a model.')
  if (!asksPrice(offer) || typed.price !== '') return false
  return lacking('price', 'Pick a price.')
}

function lacking(field: keyof ConnectValues, message: string): ActionError {
  return { code: 'invalid-input', message, fields: { [field]: message } }
}

const priceFields: Partial<Record<string, string>> = {
  'price.prices.input': 'inputPrice',
  'price.prices.output': 'outputPrice',
}

/** Returns the first answer for a model: what its own provider asks for, if that is known. */
function priceOf(offers: readonly OfferRow[] | undefined, modelId: string | null): PriceAnswer {
  const offer = offers?.find((each) => each.modelId === modelId)
  return { ...noPriceAnswer, price: offer?.guess ? 'guess' : '' }
}
