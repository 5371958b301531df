'use client'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useId, useState } from 'react'
import { useSubmit } from '@/components/forms/use-submit'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { useToast } from '@/components/ui/toast'
import type { ModelDetails, UpdateModel } from '@/lib/domains/models/schemas'
import { parseCount, typedFigure } from '@/lib/protocol/codecs'
import { changeModel } from '../../actions'
import { FactFields, type PickedFacts } from '../../fact-fields'

type Props = { model: ModelDetails }

export function EditModelForm({ model }: Props) {
  const id = useId()
  const router = useRouter()
  const toast = useToast()
  const [stored] = useState<PickedFacts>(() => factsOf(model))
  const [picked, setPicked] = useState(stored)
  const { form, busy, error, fields } = useSubmit({
    changed: picked !== stored,
    leaves: true,
    send: (text) => {
      const typed = {
        displayName: text('displayName'),
        contextTokens: typedFigure(text('contextTokens'), parseCount),
        maxOutputTokens: typedFigure(text('maxOutputTokens'), parseCount),
      }
      const change = changesOf({ ...typed, ...picked }, model)
      return changeModel({ modelId: model.id, change })
    },
    onDone: () => {
      toast({ tone: 'ok', title: 'Saved the model' })
      router.push(`/models/${model.id}`)
    },
  })
  return (
    <form {...form} className="flex max-w-160 flex-col gap-5">
      <FactFields
        id={id}
        typed={model}
        picked={picked}
        wrong={fields}
        prefix="change."
        onPick={setPicked}
      />
      {error && !error.fields && (
        <ErrorNotice title="The model was not saved">{error.message}</ErrorNotice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={busy}>
          Save
        </Button>
        <Button asChild>
          <Link href={`/models/${model.id}`}>Cancel</Link>
        </Button>
      </div>
    </form>
  )
}

function factsOf(model: ModelDetails): PickedFacts {
  const { toolCalling, structuredOutput, vision, reasoning } = model
  const { reasoningEfforts, unsupportedParameters } = model
  const capabilities = { toolCalling, structuredOutput, vision, reasoning }
  return { ...capabilities, reasoningEfforts, unsupportedParameters }
}

/** Returns only the fields that were changed here, so that a save does not undo a colleague's change. */
function changesOf(form: Required<UpdateModel>, before: ModelDetails): UpdateModel {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return Object.fromEntries(
    Object.entries(form).filter(
      ([name, value]) => Number.isNaN(value) || !same(value, before[name as keyof UpdateModel]),
    ),
  )
}
