import type { PolicyEffect } from '@toolgate/server/toolset/policy/policy-effect'
import { useFormState } from 'react-hook-form'
import { FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { notSaved } from '@/components/forms/use-act'
import { ErrorNotice } from '@/components/ui/error-notice'
import { countOf } from '@/lib/words/format'

type Props = {
  /** Null = a new configuration. */
  configurationId: string | null
  effect: PolicyEffect | null
}

/** Shows the end of the form: the reason for the change, the errors, Save and Cancel. */
export function SaveBar({ configurationId, effect }: Props) {
  const wrong = Object.keys(useFormState().errors).length
  const isNew = configurationId === null
  return (
    <div className="flex flex-col gap-4 border-t pt-6">
      <FormField
        name="note"
        shape={{
          kind: 'text',
          label: 'Note for the history',
          optional: true,
        }}
      />
      {effect && effect.opens.length + effect.closes.length > 0 && (
        <p className="text-warning">Saving {effectWords(effect)}.</p>
      )}
      {wrong > 0 && (
        <ErrorNotice title={notSaved}>
          {wrong === 1 ? 'Correct the marked field.' : `Correct the ${wrong} marked fields.`}
        </ErrorNotice>
      )}
      <FormButtons
        button={isNew ? 'Add configuration' : 'Save changes'}
        cancel={isNew ? '/configurations' : `/configurations/${configurationId}`}
      />
    </div>
  )
}

function effectWords({ opens, closes }: PolicyEffect): string {
  return [
    ...(opens.length > 0 ? [`allows ${countOf(opens.length, 'more tool')}`] : []),
    ...(closes.length > 0 ? [`blocks ${countOf(closes.length, 'tool')}`] : []),
  ].join(' and ')
}
