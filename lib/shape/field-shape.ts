import type { z } from 'zod'
import type { Pasted } from '@/lib/words/pasted-text'

/** The most characters of a prompt, and of a text field that names no other limit. */
export const maxPromptCharacters = 200_000

/** The value of a select; null = none of the others, such as "any". */
export type ChoiceValue = string | boolean | null

type FieldChoice = {
  value: ChoiceValue
  label: string
  /** A second, muted line. */
  hint?: string
  /** True = an identifier, shown in the mono font. */
  mono?: boolean
}

type Words = {
  label: string
  hint?: string
  /** The error when nothing is given, said before anything is sent. Left out = the server decides. */
  required?: string
  /** True = the label says that it may stay empty. */
  optional?: boolean
  /** Text shown for an empty value: "picked for each run". */
  none?: string
}

type Typed = {
  placeholder?: string
  /** Value of the browser's autocomplete attribute; left out: off. */
  autoComplete?: string
  /** The keyboard of a phone; left out = the one of the kind. */
  inputMode?: 'numeric' | 'decimal'
  autoCapitalize?: 'characters'
  /** True = an identifier or code, shown in the mono font. */
  mono?: boolean
  /** The kind of text that is often pasted with more around it, which is left out and told. */
  cleans?: Pasted
  /** Converts the typed text into the value; left out: the value is the text. */
  codec?: FieldCodec
}

/**
 * `text`: trimmed. `seconds`: stored in ms. `usd`: stored in micro-USD. `json`: an object in which the order of the keys
 * counts. Empty text is null for each (`field-codec.ts`).
 */
export type FieldCodec = 'text' | 'count' | 'seconds' | 'usd' | 'json'

/**
 * Words and control of a resource's field. Data without code, so that the shape of a resource says it once for all of
 * its forms.
 */
export type FieldShape = Words &
  /** `secret`: a hidden key, which password managers ignore; `moment`: a date and time of the reader's zone. */
  (
    | ({ kind: 'text'; type?: 'email' | 'url' | 'password' | 'secret' | 'moment' } & Typed)
    /** Text that holds a number; a codec reads it when the form is sent. */
    | ({ kind: 'number' | 'money' } & Typed)
    | ({ kind: 'textarea'; rows?: number } & Typed)
    | { kind: 'select'; choices: readonly FieldChoice[]; placeholder?: string; search?: string }
    | { kind: 'checkbox' }
    /** Any of a few: the value is the list of those that are ticked, in the order of the choices. */
    | {
        kind: 'checkboxes'
        choices: readonly (FieldChoice & { value: string })[]
        /** One below the other. */
        isColumn?: boolean
      }
  )

/** A field that names an object of another kind. `as`: what it is called where its name is shown or given, not its id. */
export type Reference = Words & {
  kind: 'reference'
  to: 'configuration' | 'task' | 'user' | 'group' | 'skill' | 'api-key'
  as: string
  placeholder?: string
  /** Any number of them: the value is the list of their ids. */
  isMany?: true
  /** Any number of them in an order, each on or off there: the value is a list of `{ id, enabled }`. */
  isSwitched?: true
  /** A left-out reference is the caller. */
  isCallerByDefault?: true
}

/** Meaning of an object that is off: a sentence, or a function that makes one of the object. */
export type SwitchWords = string | ((row: Readonly<Record<string, unknown>>) => string)

/**
 * A field of a resource, stated once for forms, API, terminal, site file and audit: how it is asked for, what may be
 * stored, and what a new one has when the field is left out. `own`: its control is not one of the above. `switch`: on or
 * off; `off` says what that means, `reason` that switching it off needs a reason.
 */
export type ResourceField = (
  | FieldShape
  | Reference
  | { kind: 'own'; label: string; hint?: string; none?: string }
  | { kind: 'switch'; label: string; off: SwitchWords; reason?: string }
) & {
  schema: z.ZodType
  /** The schema of what is stored and shown; left out = `schema` without its rules. */
  stored?: z.ZodType
  defaultValue?: unknown
  /** It stays as it was when the object was added. */
  isFixed?: true
  /** It is written and never shown: in the vault, and in no list, audit row or file. */
  isSecret?: true
  /** Which objects have it: those with one of these values of another field, such as a kind. Left out = all. */
  only?: Readonly<Record<string, readonly string[]>>
  /** It is `required` beside this other field alone. */
  requiredBeside?: string
  /** It is `required` of these objects alone, named as `only` names those that have it. */
  requiredOf?: Readonly<Record<string, readonly string[]>>
  /** Returns its value as people read it, where that depends on other values of the object. */
  textOf?: (value: unknown, values: Readonly<Record<string, unknown>>) => string
  /**
   * Lists show it: in a column of their tables and on their cards. `head`: its column, where that is not the label. `of`: a
   * listed value of the resource that they show and search in its place; of a secret, its page shows that, too. `yes` and `no`:
   * words for a box. `card`: words on a card for a box that is ticked; without, cards leave the box out.
   */
  listed?: true | { head?: string; of?: string; yes?: string; no?: string; card?: string }
  /** A search of lists looks at it, as at each name. A text = its word there, where that is not the label. */
  searched?: true | string
  /** It confirms a change: it is given with one, audited when it is true, and not stored. */
  isConfirmation?: true
  /** Only a person on the console gives it a value: the terminal can empty it, and a site file has none. Its verb refuses others. */
  isOfConsole?: true
  /**
   * Its option in the terminal: `--at <cron>` for `{ name: 'at', value: 'cron' }`. Left out = made of its name. `none`: the
   * help of `--no-at`, which empties it. `isMany`: it is repeated for several texts.
   */
  option?: { name?: string; value?: string; help?: string; none?: string; isMany?: true }
}

/** Returns the choices that these words stand for, in their order. */
export function choicesOf<T extends string>(words: Record<T, string>) {
  // Object.entries loses the type of the keys.
  return Object.entries<string>(words).map(([value, label]) => ({ value: value as T, label }))
}

/** Consequence for a person who is removed from a group. */
export const leavingWords =
  'They can no longer use configurations that only this group allows. Their active runs with those end.'

/** Why something with versions changes; the history of the object keeps it. */
export const noteField = {
  kind: 'text',
  label: 'Note: what changes, and why',
  optional: true,
} as const satisfies FieldShape

/** Returns the field for a provider's key, hidden while it is typed. */
export function secretField(label: string): FieldShape {
  return { kind: 'text', type: 'secret', label, cleans: 'key' }
}
