'use client'
import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { FormField, useFieldState } from '@/components/forms/form-field'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { choicesOf, type FieldShape } from '@/lib/shape/field-shape'
import { visibleText } from '@/lib/words/clean-text'
import type { SourceDraft } from './source-drafts'
import { sourceWords } from './source-drafts'

/** Shows where the results of each tool come from: the field `sources` of the surrounding form. */
export function SourcesField() {
  const { onChange } = useFieldState<SourceDraft[]>('sources')
  // The state of the field does not follow what is picked in its rows.
  const drafts = useWatch<{ sources: SourceDraft[] }, 'sources'>({ name: 'sources' })
  const [added, setAdded] = useState('')
  const id = useId()
  const name = added.trim()
  const isNew = name !== '' && !drafts.some((draft) => draft.name === name)
  const add = () => {
    if (!isNew) return
    onChange([...drafts, { name, source: 'recorded', content: '' }])
    setAdded('')
  }
  return (
    <>
      <p className="text-muted text-sm">
        A tool that writes is called only if you pick it here. With recorded results, a call that
        the saved run did not make fails.
      </p>
      {drafts.map((draft, place) => (
        <SourceRow key={draft.name} draft={draft} place={place} />
      ))}
      <Field id={id} label="Another tool" optional>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              value={added}
              spellCheck={false}
              autoComplete="off"
              autoCapitalize="off"
              className="font-mono"
              onChange={(event) => setAdded(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                add()
              }}
            />
            <Button onClick={add} disabled={!isNew}>
              <Plus className="size-4" aria-hidden />
              Add tool
            </Button>
          </div>
        )}
      </Field>
    </>
  )
}

function SourceRow({ draft: { name, source }, place }: { draft: SourceDraft; place: number }) {
  const shown = visibleText(name)
  const picked: FieldShape = { kind: 'select', label: shown, choices: choicesOf(sourceWords) }
  return (
    <div className="flex flex-col gap-2">
      <FormField name={`sources.${place}.source`} shape={picked} />
      {source === 'fixed' && (
        <FormField
          name={`sources.${place}.content`}
          shape={{
            kind: 'textarea',
            label: `Text of ${shown}`,
            rows: 3,
            hint: 'You cannot approve calls of its runs then; another person has to.',
          }}
        />
      )}
    </div>
  )
}
