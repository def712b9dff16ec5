// The page of a report. Everything it shows was written by models and datasets: it is put in as text, never as markup.
const ROW = 44
const byId = (id) => document.getElementById(id)
const dataOf = (id) => JSON.parse(byId(id).textContent)

const rows = dataOf('rows').map((row, at) => ({ ...row, at }))
const [overview, itemPage, list, canvas, filters] = ['overview', 'item', 'list', 'rows-shown', 'filters'].map(byId)
const TITLE = document.title
let shown = rows
/** The rows that are there, by their place in the list as it is filtered. */
const drawn = new Map()

/** An element with attributes and children; texts stay texts. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

const MEANINGS = { c: 'correct', w: 'wrong', n: 'not attempted', u: 'could not be judged' }

const stepsOf = ({ turns }) => (turns === null ? '' : `${+turns.toFixed(1)} ${turns === 1 ? 'step' : 'steps'}`)

function rowOf(row, n) {
  const verdicts = [...row.verdicts].map((letter) => make('i', { class: `mark ${letter}`, title: MEANINGS[letter] }))
  const spoken = [...row.verdicts].map((letter) => MEANINGS[letter]).join(', ')
  const element = make(
    'a',
    { class: 'row', href: `#item-${row.at}` },
    make('span', { class: 'marks', role: 'img', 'aria-label': spoken }, ...verdicts),
    make('span', { title: row.id }, row.question || row.id),
    make('span', { class: 'side' }, row.category),
    make('span', { class: 'side number' }, stepsOf(row)),
    make('span', { class: 'side number' }, row.cost === null ? '' : `$${row.cost.toFixed(4)}`),
  )
  element.style.top = `${n * ROW}px`
  return element
}

/** Only the rows that can be seen are there. One that stays is the same element: it may have the focus. */
function draw() {
  canvas.style.height = `${shown.length * ROW}px`
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5)
  const end = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 5)
  for (const [n, element] of drawn) {
    if (n >= first && n < end) continue
    element.remove()
    drawn.delete(n)
  }
  let next = null
  for (let n = end - 1; n >= first; n--) {
    if (!drawn.has(n)) drawn.set(n, canvas.insertBefore(rowOf(shown[n], n), next))
    next = drawn.get(n)
  }
}

function focusRow(n) {
  const lowest = n * ROW
  list.scrollTop = Math.min(lowest, Math.max(list.scrollTop, lowest + ROW - list.clientHeight))
  draw()
  drawn.get(n)?.focus()
}

const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }

/** From row to row by keys: a thousand of them are too many for Tab. */
function walk(event) {
  const [at] = [...drawn].find(([, element]) => element === document.activeElement) ?? []
  const step = STEPS[event.key]
  if (at === undefined || step === undefined) return
  event.preventDefault()
  focusRow(Math.max(0, Math.min(shown.length - 1, at + step)))
}

const VERDICTS = {
  all: ({ score }) => score === 1,
  some: ({ score }) => score > 0 && score < 1,
  none: ({ score }) => score === 0,
  unjudged: ({ verdicts }) => verdicts.includes('u'),
}
const ORDERS = {
  score: (a, b) => a.score - b.score,
  turns: (a, b) => (b.turns ?? -1) - (a.turns ?? -1),
  cost: (a, b) => (b.cost ?? -1) - (a.cost ?? -1),
}

function filter() {
  const { words, verdict, category, order } = Object.fromEntries(new FormData(filters))
  const sought = words.trim().toLowerCase()
  const isWanted = VERDICTS[verdict] ?? (() => true)
  shown = rows.filter(
    (row) =>
      isWanted(row) &&
      (category === '' || row.category === category) &&
      (sought === '' || `${row.question} ${row.id}`.toLowerCase().includes(sought)),
  )
  if (order !== '') shown.sort(ORDERS[order])
  byId('count').textContent = `${shown.length.toLocaleString('en')} of ${rows.length.toLocaleString('en')}`
  list.scrollTop = 0
  drawn.clear()
  canvas.replaceChildren()
  draw()
}

function fillFilters() {
  const categories = [...new Set(rows.map(({ category }) => category))].filter((category) => category !== '')
  const choice = filters.elements.category
  choice.append(...categories.map((category) => make('option', { value: category }, category)))
  choice.hidden = categories.length < 2
  if (rows.every(({ cost }) => cost === null)) filters.elements.order.querySelector('[value=cost]').remove()
}

const pairs = (facts) =>
  make(
    'dl',
    { class: 'facts' },
    ...facts.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))),
  )

const PARTS = { think: 'thought', tool_call: 'call', tool_response: 'result', answer: 'answer' }
const PART = /<(think|tool_call|tool_response|answer)>([\s\S]*?)(?:<\/\1>|$)/g

/** A message as its parts, each with its name; what stands in no tags has none. */
function partsOf({ role, content }) {
  const parts = []
  let from = 0
  const add = (name, words) => {
    if (words.trim() !== '')
      parts.push(
        make(
          'div',
          { class: `part ${name || role}` },
          make('span', { class: 'name' }, name),
          make('pre', {}, words.trim()),
        ),
      )
  }
  for (const found of content.matchAll(PART)) {
    add('', content.slice(from, found.index))
    add(PARTS[found[1]], found[2])
    from = found.index + found[0].length
  }
  add('', content.slice(from))
  return parts
}

function attemptOf(attempt) {
  const { rollout, verdict, why, prediction, facts, run, file, line, trace } = attempt
  const steps = make('details', {}, make('summary', {}, `Trace, ${trace.length} messages, long ones cut`))
  steps.addEventListener('toggle', () => {
    if (steps.children.length === 1) steps.append(...trace.flatMap(partsOf))
  })
  const whole = run === undefined ? [] : [make('span', {}, 'The run: ', make('code', {}, `tao show ${run}`))]
  return make(
    'section',
    { class: 'attempt' },
    make('h2', {}, `Rollout ${rollout}`, make('span', { class: `verdict ${verdict[0]}` }, verdict)),
    make('p', { class: 'said' }, prediction),
    make('p', { class: 'why' }, why),
    pairs(facts),
    make(
      'p',
      { class: 'trace' },
      ...whole,
      make('span', {}, 'The record: ', make('a', { href: file }, `${file.split('/').at(-1)}, line ${line}`)),
    ),
    steps,
  )
}

/** The item's page, with the ones before and after it in the list as it is filtered. */
function openItem(at) {
  const { id, question, answer, fields, attempts } = dataOf(`item-${at}`)
  const place = shown.findIndex((row) => row.at === at)
  const link = (words, row, name) =>
    row === undefined ? [] : [make('a', { href: `#item-${row.at}`, class: name }, words)]
  const more = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  itemPage.replaceChildren(
    make(
      'nav',
      {},
      make('a', { href: '#' }, '← All items'),
      ...link('Previous', place > 0 ? shown[place - 1] : undefined, 'end'),
      ...link('Next', place < 0 ? undefined : shown[place + 1], place > 0 ? '' : 'end'),
    ),
    make('p', { class: 'name' }, `Item ${id}`),
    make('h1', { class: 'question', tabindex: '-1' }, question || id),
    make('p', { class: 'right' }, make('span', { class: 'name' }, 'Right answer '), answer || 'not known'),
    ...(more.length === 0 ? [] : [pairs(more)]),
    ...attempts.map(attemptOf),
  )
}

/** Where the list was left, as it forgets that while it is hidden, and the item that was looked at last. */
let left = { page: 0, list: 0 }
let last = -1

function route() {
  const [, at] = /^#item-(\d+)$/.exec(location.hash) ?? []
  const isItem = at !== undefined && Number(at) < rows.length
  const wasItem = !itemPage.hidden
  if (isItem && !wasItem) left = { page: scrollY, list: list.scrollTop }
  overview.hidden = isItem
  itemPage.hidden = !isItem
  document.title = isItem ? `${rows[at].id} · ${TITLE}` : TITLE
  if (isItem) showItem(Number(at))
  else if (wasItem) goBack()
  else draw()
}

function showItem(at) {
  last = at
  openItem(at)
  scrollTo(0, 0)
  itemPage.querySelector('h1').focus()
}

function goBack() {
  list.scrollTop = left.list
  draw()
  const n = shown.findIndex((row) => row.at === last)
  if (n !== -1) focusRow(n)
  scrollTo(0, left.page)
}

fillFilters()
filter()
filters.addEventListener('input', filter)
filters.addEventListener('submit', (event) => event.preventDefault())
list.addEventListener('scroll', draw, { passive: true })
list.addEventListener('keydown', walk)
addEventListener('resize', draw)
addEventListener('hashchange', route)
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && !itemPage.hidden) location.hash = ''
})
route()
