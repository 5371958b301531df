import { plainCharacter } from '@/lib/words/clean-text'
import { hasHiddenText, regionFlags } from '@/lib/words/hidden-text'

/** Invisible characters that split words apart for a reader of bytes but not for a model. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** Tag characters spell ASCII that nobody sees. */
const tags = /[\u{e0020}-\u{e007e}]/gu

/** Text after a direction override is displayed backwards, up to the end of the override. */
const backwards = /\u202e([^\u202c\u2069\n]{1,2000})/g

/** One phrase again and again says no more than a handful. */
const mostOfOne = 20

/**
 * Returns the names of suspicious phrases in untrusted text, once for each place and at most 20 times each, to be
 * flagged in the trace. The text itself is never changed (SPEC T6). A flag is a hint for the reader, not a defence.
 */
export function suspiciousPhrases(text: string): string[] {
  const isAscii = Buffer.byteLength(text) === text.length
  const lower = isAscii ? text.toLowerCase() : ''
  // Logs, tables and data rarely have even the beginning of a phrase, and then need no copy with other blanks.
  if (isAscii && !mayHavePhrase(lower)) return []
  const plain = isAscii ? withSingleBlanks(lower) : normalise(text)
  const flags = possiblePhrases(plain).flatMap(({ name, pattern }) => {
    const times = Math.min(mostOfOne, count(plain, pattern))
    return Array.from({ length: times }, () => name)
  })
  return isAscii || !hasHiddenText(text) ? flags : [...flags, 'hidden-text']
}

function count(text: string, pattern: RegExp): number {
  let times = 0
  for (const _ of text.matchAll(pattern)) if (++times === mostOfOne) break
  return times
}

function normalise(text: string): string {
  const letters = `${plainLetters(text)}${turned(text)}`
  return letters.toLowerCase().replace(/\s{2,}|[^\S ]/g, ' ')
}

/**
 * Returns ASCII text with single blanks for all white space. Most of it is one already, so only the rest is searched
 * for.
 */
function withSingleBlanks(text: string): string {
  let flat = text
  for (const space of ['\n', '\t', '\r', '\v', '\f']) flat = flat.replaceAll(space, ' ')
  return flat.includes('  ') ? flat.replace(/ {2,}/g, ' ') : flat
}

function plainLetters(text: string): string {
  return text
    .replace(regionFlags, '')
    .replace(tags, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(/[^\0-\x7f\p{P}\p{S}\s]/gu, plainCharacter)
    .replace(/[\u2018\u2019\u02bc\u00b4]/g, "'")
}

/** Returns the parts that are written backwards in the right order, each on a line of its own. */
function turned(text: string): string {
  return [...text.matchAll(backwards)]
    .map(([, part = '']) => `\n${plainLetters([...part].reverse().join(''))}`)
    .join('')
}

/** `beginnings` = how its matches can begin, at a word; null = anywhere, at a bracket. */
type PhrasePattern = {
  name: string
  pattern: RegExp
  beginnings: readonly string[] | null
}

/** Up to so many other words between two that matter. */
const few = "(?:[a-z'-]+ ){0,4}"
const some = "(?:[a-z'-]+ ){0,6}"

/** Alternatives that begin at a word, whatever the language. */
const words = (name: string, ...alternatives: string[]): PhrasePattern => ({
  name,
  pattern: new RegExp(`\\b(?:${alternatives.join('|')})`, 'g'),
  beginnings: alternatives.flatMap(beginningsOf),
})

/** Returns the fixed beginning of an expression: the choices of its first group with what follows them, or itself. */
function beginningsOf(expression: string): string[] {
  const [group = '', choices = ''] = /^\(\?:([^()]*)\)(?![?*{])/.exec(expression) ?? []
  const rest = certainPart(expression.slice(group.length))
  if (group === '') return [rest]
  return choices.split('|').map((choice) => {
    const certain = certainPart(choice)
    return certain === choice ? certain + rest : certain
  })
}

/** Ends before the first operator; one of these after a letter makes that letter optional. */
function certainPart(expression: string): string {
  const [, certain = ''] = /^([\w' -]*?)(?:[\w' -][?*{]|[^\w' -]|$)/.exec(expression) ?? []
  return certain
}

const markup = (name: string, pattern: RegExp): PhrasePattern => ({
  name,
  pattern,
  beginnings: null,
})

/**
 * Few and plain, in English, German, French and Spanish, for text in lower case without accents and with single blanks.
 * None can backtrack far: between two words that matter stand a few others at most.
 */
const phrasePatterns: readonly PhrasePattern[] = [
  words(
    'ignore-instructions',
    `(?:ignore|disregard|forget|override|bypass) ${few}(?:instructions?|prompts?|rules|guidelines|directions)\\b`,
    `(?:ignorier\\w*|vergiss|vergesst|missachte\\w*|umgehe?) ${few}(?:anweisung(?:en)?|instruktion(?:en)?|regeln|vorgaben|prompts?)\\b`,
    `(?:ignore[zr]?|oublie[zr]?|contourne[zr]?|ne tiens? pas compte|ne tenez pas compte) ${few}(?:instructions?|consignes?|regles|directives)\\b`,
    `(?:ignor[ae]d?|olvid[ae]d?|omite|descarta|desobedece|no hagas caso) ${few}(?:instruccion(?:es)?|indicacion(?:es)?|reglas|ordenes)\\b`,
  ),
  words(
    'new-instructions',
    '(?:new|updated|real|actual) (?:system )?instructions? ?:',
    'neue (?:system-?)?(?:anweisung(?:en)?|instruktion(?:en)?) ?:',
    'nouvelles? (?:instructions?|consignes?)(?: systeme)? ?:',
    'nuevas? (?:instruccion(?:es)?|indicacion(?:es)?)(?: del sistema)? ?:',
  ),
  words(
    'role-change',
    'you are (?:now|no longer) ',
    'act as (?:an? )?(?:unrestricted|jailbroken|system|root|admin)',
    'du bist (?:jetzt|nun|ab sofort|nicht (?:mehr|langer)) (?:ein|eine|kein|keine|der|die|im) ',
    '(?:tu es|vous etes) (?:maintenant|desormais) (?:un|une|le|la|en) ',
    '(?:ahora eres|ya no eres|eres ahora) (?:un|una|el|la) ',
  ),
  words(
    'system-prompt',
    '(?:reveal|print|show|repeat|output|leak) (?:[a-z]+ ){0,3}(?:system prompt|hidden prompt)',
    '(?:reveal|print|show|repeat|output|leak) (?:me |us )?(?:the|your|all|its|every|any) (?:[a-z]+ ){0,2}(?:secret|api keys?|password)',
    `(?:zeig\\w*|verrat\\w*|nenne|wiederhole|gib) (?:[a-z]+ ){0,4}(?:system-?prompt|systemanweisung(?:en)?|api-?(?:schlussel|keys?)|passwort(?:er)?)`,
    `(?:revele[zr]?|affiche[zr]?|montre[zr]?|repete[zr]?) (?:[a-z'-]+ ){0,4}(?:prompt systeme|instructions systeme|mots? de passe|cles? (?:d')?api)`,
    `(?:revela|muestra|imprime|repite|dime) (?:[a-z]+ ){0,4}(?:prompt del sistema|instrucciones del sistema|contrasenas?|claves? (?:de )?api)`,
  ),
  words(
    'hide-from-user',
    `(?:do not|don't|never) (?:tell|inform|mention|show|alert) (?:[a-z]+ ){0,3}(?:user|human|operator|admin)`,
    `(?:sag\\w*|verrat\\w*|erzahl\\w*|zeig\\w*) (?:es |das |dies )?(?:dem|der|den) (?:benutzer|nutzer|anwender|menschen|admin\\w*)(?:in)? (?:[a-z]+ ){0,3}(?:nicht|nichts)\\b`,
    `ne (?:le |la )?(?:dis|dites|montre|montrez|mentionne|mentionnez) (?:[a-z'-]+ ){0,4}(?:l')?(?:utilisateur|administrateur|operateur)`,
    `n'informe[zr]? (?:[a-z'-]+ ){0,4}(?:l')?(?:utilisateur|administrateur|operateur)`,
    `no (?:le |lo |se lo )?(?:digas|muestres|menciones|informes) (?:[a-z]+ ){0,4}(?:usuario|administrador|operador)`,
  ),
  words(
    'exfiltrate',
    `(?:send|post|upload|forward|exfiltrate) ${some}to (?:https?:|www\\.|[\\w.+-]{1,64}@)`,
    `(?:sende|schick\\w*|lade|leite|ubermittle) ${some}(?:an|nach|auf|zu) (?:https?:|www\\.|[\\w.+-]{1,64}@)`,
    `(?:envoie|envoyez|transmets|transmettez|publie[zr]?) ${some}(?:a|vers|sur) (?:https?:|www\\.|[\\w.+-]{1,64}@)`,
    `(?:envia|manda|reenvia|sube|publica) ${some}a (?:https?:|www\\.|[\\w.+-]{1,64}@)`,
  ),
  words(
    'call-a-tool',
    '(?:call|run|invoke|use|execute) the (?:[a-z_]+ )?(?:tool|function|command)\\b',
    'rufe? (?:bitte )?das (?:[a-z_]+[ -])?(?:tool|werkzeug) (?:[a-z_]+ )?auf\\b',
    "(?:appelle[zr]?|execute[zr]|utilise[zr]?) (?:l'outil|la fonction|la commande)\\b",
    '(?:llama|ejecuta|invoca|usa) (?:a )?(?:la (?:herramienta|funcion)|el comando)\\b',
  ),
  // The member in which tools return what a page does not show.
  words('hidden-text', 'hiddentext":"'),
  markup('call-a-tool', /<tool_call>|<function_calls>/g),
  markup(
    'chat-markup',
    /<\|(?:im_start|im_end|system|user|assistant|endoftext)[^|]{0,20}\|>|\[\/?inst\]|<<sys>>|<\/?untrusted-/g,
  ),
]

/** Patterns that may match at the position of a beginning: those with this beginning, a longer or a shorter one. */
const owners = new Map(
  [...new Set(phrasePatterns.flatMap(({ beginnings }) => beginnings ?? []))].map((text) => [
    text,
    phrasePatterns.filter(({ beginnings }) => beginnings?.some(overlaps(text))),
  ]),
)

const beginningsInOrder = [...owners.keys()].toSorted()
const anyBeginning = new RegExp(`\\b(?=(${beginningsInOrder.join('|')}))`, 'g')
/** The same in text that still has its own white space. */
const looseBeginning = new RegExp(`\\b(?:${beginningsInOrder.join('|').replaceAll(' ', '\\s+')})`)
const ofMarkup = phrasePatterns.filter(({ beginnings }) => beginnings === null)
const brackets = ['<', '[']

function mayHavePhrase(text: string): boolean {
  return looseBeginning.test(text) || brackets.some((bracket) => text.includes(bracket))
}

/**
 * Returns the patterns that a text in plain lower case may match, in their order. One search for their beginnings costs
 * a fraction of a search for each, and most text has few.
 */
function possiblePhrases(text: string): PhrasePattern[] {
  const possible = new Set<PhrasePattern>()
  for (const [, beginning = ''] of text.matchAll(anyBeginning)) {
    for (const pattern of owners.get(beginning) ?? []) possible.add(pattern)
    if (possible.size === phrasePatterns.length - ofMarkup.length) break
  }
  if (brackets.some((bracket) => text.includes(bracket))) {
    for (const pattern of ofMarkup) possible.add(pattern)
  }
  return phrasePatterns.filter((pattern) => possible.has(pattern))
}

function overlaps(text: string) {
  return (other: string): boolean => text.startsWith(other) || other.startsWith(text)
}
