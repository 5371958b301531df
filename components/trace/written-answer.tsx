import type { ReactNode, RefObject } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'

type Props = {
  id: string
  label: string
  hint: string
  optional?: boolean
  mono?: boolean
  error: string | undefined
  value: string
  onChange: (value: string) => void
  /** The words on the button that sends it, and how it looks. */
  send: ReactNode
  variant: 'primary' | 'danger'
  busy: boolean
  onSend: () => void
  onBack: () => void
  ref: RefObject<HTMLTextAreaElement | null>
}

/** Shows an answer that needs text: a field, the button that sends it, and a way back that does not lose the text. */
export function WrittenAnswer({ id, label, hint, optional, mono, error, ...rest }: Props) {
  const { value, onChange, send, variant, busy, onSend, onBack, ref } = rest
  return (
    <div className="flex flex-col gap-2">
      <Field id={id} label={label} hint={hint} optional={optional} error={error}>
        {(control) => (
          <Textarea
            {...control}
            ref={ref}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            spellCheck={!mono}
            className={cn('max-h-96', mono && 'font-mono text-mono pointer-coarse:text-lg')}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button variant={variant} loading={busy} onClick={onSend}>
          {send}
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </div>
  )
}
