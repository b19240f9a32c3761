/** The names of functions in the bundles of the services. */
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { withoutNeedlessNames } from '../../../tools/lib/function-names.mjs';

const helper = '__name=(target,value)=>Object.defineProperty(target,"name",{value,configurable:true})';

it.each([
  ['a constant', 'const send=__name(()=>1,"send");', 'const send=()=>1;'],
  ['one that esbuild has numbered', 'var send2=__name(function(){},"send");', 'var send2=function(){};'],
  ['a declaration', 'function send(){}__name(send,"send");', 'function send(){}send;'],
  ['a property', 'x({send:__name(async()=>1,"send")});', 'x({send:async()=>1});'],
  ['a field', 'class A{send=__name(()=>1,"send")}', 'class A{send=()=>1}'],
  ['a default', 'function f({g=__name(()=>1,"g")}){}', 'function f({g=()=>1}){}'],
  [
    'one within another',
    'const a=__name(()=>{const b=__name(()=>1,"b");return b},"a");',
    'const a=()=>{const b=()=>1;return b};',
  ],
  ['a text that looks like it', 'const a="__name(b,\\"b\\")";', 'const a="__name(b,\\"b\\")";'],
])('the call for a function that has a name is left out: %s', (_what, bundled, expected) => {
  expect(withoutNeedlessNames(bundled)).toBe(expected);
});

it.each([
  ['a class', 'var A=class{static{__name(this,"A")}};'],
  ['a class expression', 'var A=__name(class{},"A");'],
  ['a declaration that esbuild has numbered', 'function send2(){}__name(send2,"send");'],
  ['a function without a name', 'call(__name(()=>1,"send"));'],
  ['a computed property', 'x({[send]:__name(()=>1,"send")});'],
  ['a member', 'exports.send=__name(()=>1,"send");'],
])('it stays for %s', (_what, bundled) => {
  expect(withoutNeedlessNames(bundled)).toBe(bundled);
});

it('functions and classes have the names that they had', () => {
  const names = (text: string): unknown =>
    Function(`const ${helper};${text.replaceAll('export ', '')};return [a,B,c,{d}.d,new B().e].map(({name})=>name)`)();
  const bundled =
    'const a=__name(()=>1,"a");class B{static{__name(this,"B")}e=__name(()=>1,"e")}' +
    'function c(){}__name(c,"c");const d=__name(function(){},"d")';
  expect(names(withoutNeedlessNames(bundled))).toEqual(['a', 'B', 'c', 'd', 'e']);
  expect(names(bundled)).toEqual(['a', 'B', 'c', 'd', 'e']);
});
