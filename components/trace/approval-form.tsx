'use client'
import { Lock } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { escapeInvisible } from '@/lib/protocol/clean-text'
import type { ApprovalAnswer, ApprovalReply, DecisionRight } from './approval-actions'
import { AddRemark, ApprovalChoice, ApprovalRemark } from './approval-choice'
import { parseArguments } from './short-arguments'
import { VisibleText } from './visible-text'

type Props = {
  toolName: string
  argumentsText: string
  right: DecisionRight
  decide: (answer: ApprovalAnswer) => Promise<ApprovalReply>
  /** Called when the form is removed while it holds the focus, so that the focus can move elsewhere. */
  onGone: () => void
}

/** Approves, edits and approves, or denies one call. What was typed stays when the server refuses. */
export function ApprovalForm({ toolName, argumentsText, right, decide, onGone }: Props) {
  const id = useId()
  const { busy, reply, send, forget } = useReply(decide)
  const { form, field, mode, change } = useAnswerMode(forget)
  const [words, setWords] = useState(() => ({ edit: editableArguments(argumentsText), deny: '' }))
  const [remark, setRemark] = useState<string | null>(null)
  useLeavingFocus(form, onGone)

  const submit = async (answer: ApprovalAnswer) => {
    const got = await send(answer)
    if (got?.type === 'refused') field.current?.focus()
    if (got?.type === 'stale') onGone()
  }
  if (reply?.type === 'stale') {
    return <ErrorNotice title="The arguments are unchanged">{reply.message}</ErrorNotice>
  }
  const hasFields = mode !== 'choose' || remark !== null
  const takesRemark = mode !== 'deny'
  // The journal brings the result of a decision. Until then the button stays busy and keeps the focus.
  const state = { toolName, busy: busy || reply?.type === 'decided' }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only handles Escape from the fields inside
    <div
      ref={form}
      onKeyDown={(event) => hasFields && onEscape(event, () => change('choose'))}
      className="flex scroll-mt-32 scroll-mb-20 flex-col gap-2"
    >
      <NotAllowed right={right} />
      <Trouble reply={reply} />
      {takesRemark && remark !== null && (
        <ApprovalRemark id={`${id}-remark`} value={remark} onChange={setRemark} />
      )}
      {mode === 'choose' ? (
        <ApprovalChoice
          {...state}
          right={right}
          onApprove={() => submit({ type: 'approve', ...remarkOf(remark) })}
          onWrite={change}
        />
      ) : (
        <WrittenAnswer
          {...looks[mode]}
          id={`${id}-${mode}`}
          ref={field}
          error={fieldError(reply)}
          value={words[mode]}
          onChange={(text) => setWords({ ...words, [mode]: text })}
          send={mode === 'edit' ? 'Approve with these arguments' : <Deny toolName={toolName} />}
          busy={state.busy}
          onSend={() => submit(answerOf(mode, words[mode], remark))}
          onBack={() => change('choose')}
        />
      )}
      {right.allowed && takesRemark && remark === null && (
        <AddRemark toolName={toolName} onPress={() => setRemark('')} />
      )}
    </div>
  )
}

function NotAllowed({ right }: { right: DecisionRight }) {
  if (right.allowed) return null
  return (
    <p className="flex items-start gap-1.5 text-sm">
      <Lock className="mt-px size-4 shrink-0 text-muted" aria-hidden />
      You cannot approve this: {right.reason}
    </p>
  )
}

const looks = {
  edit: {
    label: 'New arguments',
    hint: 'One JSON object. It is checked against the tool’s schema before the call runs.',
    variant: 'primary',
    mono: true,
  },
  deny: {
    label: 'Message to the model',
    hint: 'The model receives it instead of a result.',
    variant: 'danger',
    optional: true,
  },
} as const

function answerOf(mode: WrittenMode, words: string, remark: string | null): ApprovalAnswer {
  if (mode === 'deny') return { type: 'deny', message: words }
  return { type: 'edit', argumentsText: words, ...remarkOf(remark) }
}

function remarkOf(remark: string | null): { message?: string } {
  const message = remark?.trim() ?? ''
  return message === '' ? {} : { message }
}

function Deny({ toolName }: { toolName: string }) {
  return (
    <span>
      Deny <VisibleText text={toolName} />
    </span>
  )
}

function Trouble({ reply }: { reply: ApprovalReply | null }) {
  if (reply?.type !== 'refused' || fieldError(reply)) return null
  return <ErrorNotice title="The decision was not saved">{reply.message}</ErrorNotice>
}

function fieldError(reply: ApprovalReply | null): string | undefined {
  return reply?.type === 'refused' ? Object.values(reply.fields)[0] : undefined
}

/** Goes back on Escape, and keeps the page from stopping the run on the same key. */
function onEscape(event: KeyboardEvent, back: () => void): void {
  if (event.key !== 'Escape') return
  event.preventDefault()
  back()
}

/**
 * Returns the arguments as text to edit: indented, with invisible characters as escapes, which mean the same in JSON.
 */
export function editableArguments(argumentsText: string): string {
  const parsed = parseArguments(argumentsText)
  return parsed ? escapeInvisible(JSON.stringify(parsed, null, 2)) : argumentsText
}

type WrittenMode = 'edit' | 'deny'
type AnswerMode = WrittenMode | 'choose'

/**
 * Holds whether an answer is being chosen or written. A change moves the focus to the text field, or back to the first
 * button, and calls `onChange`.
 */
function useAnswerMode(onChange: () => void) {
  const form = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [mode, setMode] = useState<AnswerMode>('choose')
  const change = (next: AnswerMode) => {
    // Rendered at once, so that the element to focus exists.
    flushSync(() => {
      setMode(next)
      onChange()
    })
    if (next !== 'choose') field.current?.focus()
    else form.current?.querySelector('button')?.focus()
    form.current?.scrollIntoView({ block: 'nearest' })
  }
  return { form, field, mode, change }
}

/** Calls `onGone` when `part` is removed while it holds the focus, so that the focus can move elsewhere. */
function useLeavingFocus(part: RefObject<HTMLElement | null>, onGone: () => void): void {
  const latest = useRef(onGone)
  // Outside system: the document's focus. The effect below runs once and calls the latest `onGone`.
  useEffect(() => {
    latest.current = onGone
  })
  useLayoutEffect(() => {
    const element = part.current
    return () => {
      if (element?.contains(document.activeElement)) queueMicrotask(() => latest.current())
    }
  }, [part])
}

/** Returns the last reply and a function that sends an answer, one at a time; null = there is no reply yet. */
function useReply(decide: (answer: ApprovalAnswer) => Promise<ApprovalReply>) {
  const underWay = useRef(false)
  const [busy, setBusy] = useState(false)
  const [reply, setReply] = useState<ApprovalReply | null>(null)
  const send = async (answer: ApprovalAnswer): Promise<ApprovalReply | null> => {
    if (underWay.current) return null
    underWay.current = true
    setBusy(true)
    setReply(null)
    const got = await decide(answer)
    underWay.current = false
    setBusy(false)
    setReply(got)
    return got
  }
  return { busy, reply, send, forget: () => setReply(null) }
}

type WrittenAnswerProps = {
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
function WrittenAnswer({ id, label, hint, optional, mono, error, ...rest }: WrittenAnswerProps) {
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
