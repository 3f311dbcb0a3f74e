const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');

const server = spawn('bohier', ['serve', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();

async function ask(verb, members = {}) {
  server.stdin.write(JSON.stringify({ verb, ...members }) + '\n');
  const answer = JSON.parse((await answers.next()).value);
  if (![0, 3].includes(answer.code)) throw new Error(answer.error.error); // 3: nothing left to suggest
  return answer.result;
}

const loss = ({ x, mode, damping }) => (x - 0.3) ** 2 + (mode === 'damped' ? damping : 0.1);

(async () => {
  for (let trial; (trial = await ask('suggest')); )
    await ask('observe', { trial: trial.id, value: loss(trial.params) });
  console.log('best', (await ask('best')).values.loss);
  server.stdin.end();
})();
