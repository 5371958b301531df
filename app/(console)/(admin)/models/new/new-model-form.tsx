'use client'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useId, useState } from 'react'
import { Choice } from '@/components/forms/choice'
import { useSubmit } from '@/components/forms/use-submit'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useToast } from '@/components/ui/toast'
import { parseCount, typedFigure } from '@/lib/protocol/codecs'
import { unpriced } from '@/lib/protocol/cost'
import { visibleText } from '@/lib/protocol/visible-text'
import { addModel } from '../actions'
import { FactFields, type PickedFacts } from '../fact-fields'
import { PriceFields, pricesTyped } from '../price-fields'

const nothingKnown: PickedFacts = {
  toolCalling: 'unconfirmed',
  structuredOutput: null,
  vision: null,
  reasoning: null,
  reasoningEfforts: [],
  unsupportedParameters: [],
}
const nothingTyped = { displayName: '', contextTokens: null, maxOutputTokens: null }

export function NewModelForm({ connections }: { connections: { id: string; name: string }[] }) {
  const id = useId()
  const router = useRouter()
  const toast = useToast()
  const [connectionId, setConnectionId] = useState(connections[0]?.id ?? '')
  const [picked, setPicked] = useState(nothingKnown)
  const { form, busy, error, fields } = useSubmit({
    changed: picked !== nothingKnown,
    leaves: true,
    send: (text) =>
      addModel({
        connectionId,
        modelId: text('modelId'),
        displayName: text('displayName').trim() || text('modelId').slice(0, 100),
        contextTokens: typedFigure(text('contextTokens'), parseCount),
        maxOutputTokens: typedFigure(text('maxOutputTokens'), parseCount),
        ...picked,
        prices: pricesTyped(text),
        priceSource: text('priceSource'),
      }),
    onDone: ({ id: modelId }, sent) => {
      const name = new FormData(sent).get('modelId')
      toast({ tone: 'ok', title: `Added ${visibleText(String(name))}` })
      router.push(`/models/${modelId}`)
    },
  })
  return (
    <form {...form} className="flex max-w-160 flex-col gap-5">
      <Field id={`${id}-connection`} label="Connection" error={fields.connectionId}>
        {(control) => (
          <Choice
            {...control}
            searchLabel="Search connections"
            options={connections.map((each) => ({ value: each.id, label: each.name }))}
            value={connectionId}
            onValueChange={setConnectionId}
          />
        )}
      </Field>
      <Field
        id={`${id}-model`}
        label="Model id"
        hint="The provider’s own id for the model. It cannot be changed later."
        error={fields.modelId}
      >
        {(control) => (
          <Input
            {...control}
            name="modelId"
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
        )}
      </Field>
      <FactFields id={id} typed={nothingTyped} picked={picked} wrong={fields} onPick={setPicked} />
      <PriceFields id={id} prices={unpriced} wrong={fields} />
      <Field id={`${id}-source`} label="Source of the prices" error={fields.priceSource} optional>
        {(control) => <Input {...control} name="priceSource" autoComplete="off" />}
      </Field>
      {error && !error.fields && (
        <ErrorNotice title="The model was not added">{error.message}</ErrorNotice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={busy}>
          Add model
        </Button>
        <Button asChild>
          <Link href="/models">Cancel</Link>
        </Button>
      </div>
    </form>
  )
}
