/** Invisible characters that split words apart for a reader of bytes but not for a model. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** Small Cyrillic and Greek letters that look Latin, and what they look like. */
const foreign = 'аеорсухіѕјԁһӏтмпαεορνικτυ'
const latin = 'aeopcyxisjdhltmnaeopviktu'
const lookalikes = new Map([...foreign].map((letter, index) => [letter, latin.charAt(index)]))

/** Few and plain: a flag is a hint for the reader of a trace, not a defence. None can backtrack far. */
const phrases: readonly [name: string, pattern: RegExp][] = [
  [
    'ignore-instructions',
    /\b(?:ignore|disregard|forget|override|bypass) (?:[a-z]+ ){0,4}(?:instructions?|prompts?|rules|guidelines|directions)\b/,
  ],
  ['new-instructions', /\b(?:new|updated|real|actual) (?:system )?instructions? ?:/],
  [
    'role-change',
    /\byou are (?:now|no longer) |\bact as (?:an? )?(?:unrestricted|jailbroken|system|root|admin)/,
  ],
  [
    'system-prompt',
    /\b(?:reveal|print|show|repeat|output|leak) (?:[a-z]+ ){0,3}(?:system prompt|hidden prompt|secret|api keys?|password)/,
  ],
  [
    'hide-from-user',
    /\b(?:do not|don't|never) (?:tell|inform|mention|show|alert) (?:[a-z]+ ){0,3}(?:user|human|operator|admin)/,
  ],
  [
    'exfiltrate',
    /\b(?:send|post|upload|forward|exfiltrate) (?:[a-z]+ ){0,6}to (?:https?:|www\.|[\w.+-]{1,64}@)/,
  ],
  [
    'call-a-tool',
    /\b(?:call|run|invoke|use|execute) the (?:[a-z_]+ )?(?:tool|function|command)\b|<tool_call>|<function_calls>/,
  ],
  [
    'chat-markup',
    /<\|(?:im_start|im_end|system|user|assistant|endoftext)[^|]{0,20}\|>|\[\/?inst\]|<<sys>>|<\/?untrusted-/,
  ],
]

/** Names of suspicious phrases in untrusted text, to be flagged in the trace; the text itself is never changed (SPEC T6). */
export function suspiciousPhrases(text: string): string[] {
  const plain = normalise(text)
  return phrases.filter(([, pattern]) => pattern.test(plain)).map(([name]) => name)
}

function normalise(text: string): string {
  const letters = /[^ -~\s]/.test(text) ? plainLetters(text) : text
  // Most white space is a single blank already; replacing only the rest is what keeps this cheap.
  return letters.toLowerCase().replace(/\s{2,}|[^\S ]/g, ' ')
}

function plainLetters(text: string): string {
  return text
    .normalize('NFKC')
    .replace(invisible, '')
    .toLowerCase()
    .replace(/[\u0370-\u0527]/g, (letter) => lookalikes.get(letter) ?? letter)
}
