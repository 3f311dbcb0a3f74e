import optuna
optuna.logging.set_verbosity(optuna.logging.ERROR)
def obj(t):
    n=t.suggest_int("n_layers",1,4)
    s=0
    for i in range(n): s+=t.suggest_int(f"n_units_l{i}",4,128,log=True)
    if t.suggest_categorical("dropout",[True,False]): s+=t.suggest_float("p",0,0.5)
    return s
st=optuna.create_study(study_name="layers",storage="sqlite:///layers.db",sampler=optuna.samplers.RandomSampler(seed=1))
st.optimize(obj,n_trials=30)
