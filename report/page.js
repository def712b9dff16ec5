// The page of a report. Everything it shows was written by models and datasets: it is put in as text, never as markup.
const ROW = 44
const byId = (id) => document.getElementById(id)
const dataOf = (id) => JSON.parse(byId(id).textContent)

const rows = dataOf('rows').map((row, at) => ({ ...row, at }))
const [overview, itemPage, list, canvas, filters] = ['overview', 'item', 'list', 'rows-shown', 'filters'].map(byId)
let shown = rows

/** An element with attributes and children; texts stay texts. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

const MEANINGS = { c: 'correct', w: 'wrong', n: 'not attempted', u: 'not judged' }

const stepsOf = ({ turns }) => (turns === null ? '' : `${+turns.toFixed(1)} ${turns === 1 ? 'step' : 'steps'}`)

function rowOf(row, n) {
  const verdicts = [...row.verdicts].map((letter) => make('i', { class: `mark ${letter}`, title: MEANINGS[letter] }))
  const element = make(
    'a',
    { class: 'row', href: `#item-${row.at}` },
    make('span', { class: 'marks' }, ...verdicts),
    make('span', { title: row.id }, row.question || row.id),
    make('span', { class: 'side' }, row.category),
    make('span', { class: 'side number' }, stepsOf(row)),
    make('span', { class: 'side number' }, row.cost === null ? '' : `$${row.cost.toFixed(4)}`),
  )
  element.style.top = `${n * ROW}px`
  return element
}

/** Only the rows that can be seen are there. */
function draw() {
  canvas.style.height = `${shown.length * ROW}px`
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5)
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 5)
  canvas.replaceChildren(...shown.slice(first, last).map((row, n) => rowOf(row, first + n)))
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
  const { rollout, isCorrect, verdict, why, prediction, facts, run, file, line, trace } = attempt
  const steps = make('details', {}, make('summary', {}, `Trace, ${trace.length} messages, long ones cut`))
  steps.addEventListener('toggle', () => {
    if (steps.children.length === 1) steps.append(...trace.flatMap(partsOf))
  })
  const whole = run === undefined ? [] : [make('span', {}, 'The run: ', make('code', {}, `tao show ${run}`))]
  return make(
    'section',
    { class: 'attempt' },
    make('h2', {}, `Rollout ${rollout}`, make('span', { class: `verdict ${isCorrect ? 'correct' : ''}` }, verdict)),
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
    make('p', { class: 'question' }, question),
    make('p', { class: 'right' }, make('span', { class: 'name' }, 'Right answer '), answer || 'not known'),
    ...(more.length === 0 ? [] : [pairs(more)]),
    ...attempts.map(attemptOf),
  )
}

let scrolled = 0
function route() {
  const [, at] = /^#item-(\d+)$/.exec(location.hash) ?? []
  const isItem = at !== undefined && Number(at) < rows.length
  if (isItem && itemPage.hidden) scrolled = scrollY
  if (isItem) openItem(Number(at))
  const wasItem = !itemPage.hidden
  overview.hidden = isItem
  itemPage.hidden = !isItem
  if (isItem) scrollTo(0, 0)
  else if (wasItem) scrollTo(0, scrolled)
  if (!isItem) draw()
}

fillFilters()
filter()
filters.addEventListener('input', filter)
filters.addEventListener('submit', (event) => event.preventDefault())
list.addEventListener('scroll', draw, { passive: true })
addEventListener('resize', draw)
addEventListener('hashchange', route)
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && !itemPage.hidden) location.hash = ''
})
route()
