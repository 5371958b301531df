/** `beginnings` = how its matches can begin, at a word; null = anywhere, at a bracket. */
export type PhrasePattern = {
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
export const phrasePatterns: readonly PhrasePattern[] = [
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
  markup('call-a-tool', /<tool_call>|<function_calls>/g),
  markup(
    'chat-markup',
    /<\|(?:im_start|im_end|system|user|assistant|endoftext)[^|]{0,20}\|>|\[\/?inst\]|<<sys>>|<\/?untrusted-/g,
  ),
]
