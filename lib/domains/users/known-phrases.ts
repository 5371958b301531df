/**
 * Phrases that people take from comics, manuals, films and songs, which guessers try first: made of rare words, they
 * look strong to an estimator. Letters alone; capitals, spaces and signs do not count.
 */
const phrases = `
correct horse battery staple
tr0ub4dor and 3
the quick brown fox jumps over the lazy dog
a quick brown fox jumps over the lazy dog
pack my box with five dozen liquor jugs
sphinx of black quartz judge my vow
how vexingly quick daft zebras jump
the five boxing wizards jump quickly
lorem ipsum dolor sit amet
consectetur adipiscing elit
to be or not to be that is the question
may the force be with you
i am your father
live long and prosper
winter is coming
you shall not pass
one ring to rule them all
my precious treasure
open sesame open sesame
the answer to life the universe and everything
so long and thanks for all the fish
dont panic and carry a towel
in the beginning was the word
in god we trust
let me in let me in
i love you forever and ever
all your base are belong to us
it was the best of times it was the worst of times
call me ishmael
it is a truth universally acknowledged
four score and seven years ago
we the people of the united states
i have a dream that one day
ask not what your country can do for you
that is one small step for man
houston we have a problem
heres looking at you kid
frankly my dear i dont give a damn
ill be back terminator
theres no place like home
toto i have a feeling were not in kansas anymore
life is like a box of chocolates
keep calm and carry on
twinkle twinkle little star
mary had a little lamb
humpty dumpty sat on a wall
row row row your boat
somewhere over the rainbow
never gonna give you up
we will rock you
let it be let it be
hello darkness my old friend
is this the real life is this just fantasy
supercalifragilisticexpialidocious
the cake is a lie
it is dangerous to go alone take this
swordfish open the door
this is my password
my voice is my passport verify me
please let me sign in
super secret password
`
  .trim()
  .split('\n')

const shortest = 12
const notCounted = /[^\p{L}\p{N}]+/gu

/** Returns the letters and digits of a text in one case. */
function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(notCounted, '')
}

type Known = { plainPhrases: string[]; patterns: RegExp[] }
let known: Known | undefined

/** Returns the phrases and what finds them, compiled at the first use: a start would wait for it. */
function knownPhrases(): Known {
  if (known) return known
  const plainPhrases = phrases.map(plain)
  const patterns = plainPhrases.map(
    (phrase) => new RegExp([...phrase].join('[^\\p{L}\\p{N}]*'), 'giu'),
  )
  known = { plainPhrases, patterns }
  return known
}

/**
 * Removes well-known phrases from a password, so that the rest can be judged. Returns "" when the whole password, of 12
 * letters or more, is a piece of one phrase.
 */
export function withoutPhrases(password: string): string {
  const letters = plain(password)
  const { plainPhrases, patterns } = knownPhrases()
  if (letters.length >= shortest && plainPhrases.some((phrase) => phrase.includes(letters)))
    return ''
  return patterns.reduce((rest, pattern) => rest.replace(pattern, ''), password)
}
