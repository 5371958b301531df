'use client'
import { Lock } from 'lucide-react'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { notSaved } from '@/components/forms/use-act'
import { draftText, filledDraft } from '@/components/schema-form/schema-draft'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { ApprovalAnswer, ApprovalReply, DecisionRight } from './approval-actions'
import { AddRemark, ApprovalChoice, ApprovalRemark } from './approval-choice'
import { type ApprovalParameters, answerPart, EditedArguments, Refusal } from './written-answers'

type Props = {
  toolName: string
  argumentsText: string
  /** The arguments of the tool as a JSON Schema; null = not known. */
  parameters: ApprovalParameters
  right: DecisionRight
  decide: (answer: ApprovalAnswer) => Promise<ApprovalReply>
  /** Called when the form is removed while it holds the focus, so that the focus can move elsewhere. */
  onGone: () => void
}

/** Approves, edits and approves, or denies one call. What was typed stays when the server refuses. */
export function ApprovalForm(props: Props) {
  const { toolName, argumentsText, parameters, right, decide, onGone } = props
  const id = useId()
  const { busy, reply, send, forget } = useReply(decide)
  const { form, mode, change } = useAnswerMode(forget)
  const [draft, setDraft] = useState(() => filledDraft(parameters, argumentsText))
  const [refusal, setRefusal] = useState('')
  const [remark, setRemark] = useState<string | null>(null)
  useLeavingFocus(form, onGone)
  useRefusedFocus(form, reply)

  const submit = async (answer: ApprovalAnswer) => {
    if ((await send(answer))?.type === 'stale') onGone()
  }
  if (reply?.type === 'stale') {
    return <ErrorNotice title="The arguments are unchanged">{reply.message}</ErrorNotice>
  }
  const hasFields = mode !== 'choose' || remark !== null
  const takesRemark = mode !== 'deny'
  // The journal brings the result of a decision. Until then the button stays busy and keeps the focus.
  const state = { toolName, busy: busy || reply?.type === 'decided' }
  const written = { ...state, error: fieldError(reply), onBack: () => change('choose') }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only handles Escape from the fields inside
    <div
      ref={form}
      onKeyDown={(event) => hasFields && onEscape(event, () => change('choose'))}
      className="flex scroll-mt-32 scroll-mb-20 flex-col gap-2"
    >
      <NotAllowed right={right} />
      <ReplyProblem reply={reply} />
      {takesRemark && remark !== null && (
        <ApprovalRemark id={`${id}-remark`} value={remark} onChange={setRemark} />
      )}
      {mode === 'choose' && (
        <ApprovalChoice
          {...state}
          right={right}
          onApprove={() => submit({ type: 'approve', ...remarkOf(remark) })}
          onWrite={change}
        />
      )}
      {mode === 'edit' && (
        <EditedArguments
          {...written}
          parameters={parameters}
          draft={draft}
          onChange={setDraft}
          onShown={() => focusFirst(form.current, answerFields)}
          onSend={() =>
            submit({
              type: 'edit',
              argumentsText: draftText(parameters, draft),
              ...remarkOf(remark),
            })
          }
        />
      )}
      {mode === 'deny' && (
        <Refusal
          {...written}
          value={refusal}
          onChange={setRefusal}
          onSend={() => submit({ type: 'deny', message: refusal })}
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

function remarkOf(remark: string | null): { message?: string } {
  const message = remark?.trim() ?? ''
  return message === '' ? {} : { message }
}

function ReplyProblem({ reply }: { reply: ApprovalReply | null }) {
  if (reply?.type !== 'refused' || fieldError(reply)) return null
  return <ErrorNotice title={notSaved}>{reply.message}</ErrorNotice>
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

type AnswerMode = 'edit' | 'deny' | 'choose'

/**
 * Holds whether an answer is being chosen or written. A change moves the focus to the first field of the answer, or back to
 * the first button, and calls `onChange`.
 */
function useAnswerMode(onChange: () => void) {
  const form = useRef<HTMLDivElement>(null)
  const [mode, setMode] = useState<AnswerMode>('choose')
  const change = (next: AnswerMode) => {
    // Rendered at once, so that the element to focus exists.
    flushSync(() => {
      setMode(next)
      onChange()
    })
    focusFirst(form.current, next === 'choose' ? 'button' : answerFields)
    form.current?.scrollIntoView({ block: 'nearest' })
  }
  return { form, mode, change }
}

/** The controls of an answer that is being written. */
const answerFields = `[${answerPart}] :is(textarea, input, [role="tabpanel"] button)`

function focusFirst(part: HTMLElement | null, ...selectors: string[]): void {
  for (const selector of selectors) {
    const found = part?.querySelector<HTMLElement>(selector)
    found?.focus()
    if (found) return
  }
}

/** Moves the focus to the field that the server refused. External system: the document's focus. */
function useRefusedFocus(part: RefObject<HTMLElement | null>, reply: ApprovalReply | null): void {
  useEffect(() => {
    if (reply?.type !== 'refused') return
    focusFirst(part.current, `[${answerPart}] [aria-invalid="true"]`, answerFields)
  }, [part, reply])
}

/** Calls `onGone` when `part` is removed while it holds the focus, so that the focus can move elsewhere. */
function useLeavingFocus(part: RefObject<HTMLElement | null>, onGone: () => void): void {
  const latest = useRef(onGone)
  // External system: the document's focus. The effect below runs once and calls the latest `onGone`.
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
